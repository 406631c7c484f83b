import { readFileSync } from 'node:fs';
import { buildSchema, isEnumType, isInputObjectType, isObjectType, isSpecifiedScalarType } from 'graphql';
import { expect, test } from 'vitest';

const schema = buildSchema(readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'));

test('every type, field, argument and enum value of the GraphQL schema has a description', () => {
  const undescribed: string[] = [];
  const check = (place: string, { description }: { description?: string | null | undefined }): void => {
    if (!description) undescribed.push(place);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    check(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      check(`${type.name}.${field.name}`, field);
      for (const arg of 'args' in field ? field.args : []) {
        // The type of an `input` argument describes it.
        if (arg.name !== 'input') check(`${type.name}.${field.name}(${arg.name}:)`, arg);
      }
    }
  }
  expect(undescribed, 'describe it in its decorator').toEqual([]);
});
