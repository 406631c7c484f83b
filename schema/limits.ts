import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import { NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql';
import { oncePerRequestRule } from './root-fields.ts';

/** Tokens of one document. */
export const maxTokens = 2_000;

/** Rules beyond those of GraphQL, for queries and subscriptions. */
export const validationRules = (introspection: boolean): ValidationRule[] => [
  maxAliasesRule({ n: 30 }),
  maxDirectivesRule({ n: 20 }),
  maxDepthRule({ n: 12, flattenFragments: true }),
  oncePerRequestRule,
  ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
];
