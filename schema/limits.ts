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

/** Maximum number of tokens in a document. */
export const maxTokens = 2_000;

/** Makes the rules report errors. By default they throw, which callers of `validate` do not expect. */
const reported = {
  onReject: [(context: ValidationContext | null, error: GraphQLError) => context?.reportError(error)],
  propagateOnRejection: false,
};

/** Returns the validation rules for queries, mutations and subscriptions, in addition to those of GraphQL. */
export const validationRules = (introspection: boolean): ValidationRule[] => [
  maxAliasesRule({ n: 30, ...reported }),
  maxDirectivesRule({ n: 20, ...reported }),
  maxDepthRule({ n: 12, flattenFragments: true, ...reported }),
  oncePerRequestRule,
  ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
];
