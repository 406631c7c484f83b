import { ApolloArmor } from '@escape.tech/graphql-armor';
import { NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql';
import { oncePerRequestRule } from './root-fields.ts';

/** Tokens of one document. */
export const maxTokens = 2_000;

const armor = new ApolloArmor({
  maxDepth: { n: 12, flattenFragments: true },
  maxAliases: { n: 30 },
  maxDirectives: { n: 20 },
  // It ignores the sizes of lists; see operation-cost.ts.
  costLimit: { enabled: false },
  // Every interface removes suggestions from all messages; see errors.ts.
  blockFieldSuggestion: { enabled: false },
  // With its token limit Apollo 5 responds with 500; the parser's own limit gives 400.
  maxTokens: { enabled: false },
}).protect();

export const armorPlugins = armor.plugins;

/** Rules beyond those of GraphQL, for queries and subscriptions. */
export const validationRules = (introspection: boolean): ValidationRule[] => [
  ...armor.validationRules,
  oncePerRequestRule,
  ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
];
