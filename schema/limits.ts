import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import {
  type GraphQLError,
  NoSchemaIntrospectionCustomRule,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { oncePerRequestRule } from './root-fields.ts';

/** Tokens of one document. */
export const maxTokens = 2_000;

/** By default they throw, which no caller of `validate` expects. */
const reported = {
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
  propagateOnRejection: false,
};

/** Rules beyond those of GraphQL, for queries and subscriptions. */
export const validationRules = (introspection: boolean): ValidationRule[] => [
  maxAliasesRule({ n: 30, ...reported }),
  maxDirectivesRule({ n: 20, ...reported }),
  maxDepthRule({ n: 12, flattenFragments: true, ...reported }),
  oncePerRequestRule,
  ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
];
