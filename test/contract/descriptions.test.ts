import { readFileSync } from 'node:fs';
import { buildSchema, isEnumType, isInputObjectType, isObjectType, isSpecifiedScalarType } from 'graphql';
import { expect, test } from 'vitest';

const schema = buildSchema(readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'));

test('every type, field, argument, value and input of the GraphQL schema says what it is', () => {
  const silent: string[] = [];
  const check = (place: string, { description }: { description?: string | null | undefined }): void => {
    if (!description) silent.push(place);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    check(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      check(`${type.name}.${field.name}`, field);
      for (const arg of 'args' in field ? field.args : []) check(`${type.name}.${field.name}(${arg.name}:)`, arg);
    }
  }
  expect(silent, 'a description belongs beside the field, or its words into schema/member-words.ts').toEqual([]);
});
