import { type GraphQLSchema, isEnumType, isInputObjectType, isObjectType, isSpecifiedScalarType } from 'graphql';
import { enumValueWords } from './enum-words.ts';
import { memberWords } from './member-words.ts';

interface Described {
  description?: string | null | undefined;
}

/**
 * Gives everything that says nothing of itself the words that are the same wherever its name stands. What a decorator
 * says wins.
 */
export function withDescriptions(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    describe(type, typeWords[type.name] ?? inputWords(type.name));
    if (isEnumType(type)) {
      for (const value of type.getValues()) describe(value, enumValueWords(type.name, value.name, value.value));
    }
    if (!isObjectType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const place = `${type.name}.${field.name}`;
      describe(field, memberWords[place] ?? memberWords[field.name]);
      for (const arg of 'args' in field ? field.args : []) {
        const words = arg.name === 'input' ? 'What it is done with.' : memberWords[`(${arg.name})`];
        describe(arg, words ?? memberWords[arg.name]);
      }
    }
  }
  return schema;
}

const describe = (member: Described, words: string | undefined): void => {
  member.description ||= words;
};

const typeWords: Readonly<Record<string, string | undefined>> = {
  Query: 'What can be read.',
  Mutation: 'What can be done.',
  Subscription: 'What can be followed while it happens.',
};

/** `CreateAgentInput` → `What "create agent" is done with.` */
const inputWords = (name: string): string | undefined => {
  const operation = /^(.+)Input$/.exec(name)?.[1];
  return operation && `What “${operation.replaceAll(/(?<!^)([A-Z])/g, ' $1').toLowerCase()}” is done with.`;
};
