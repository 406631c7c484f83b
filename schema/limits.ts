import { ApolloArmor } from '@escape.tech/graphql-armor';

/** Tokens of one document. */
export const maxTokens = 2_000;

const armor = new ApolloArmor({
  maxDepth: { n: 12, flattenFragments: true },
  maxAliases: { n: 30 },
  maxDirectives: { n: 20 },
  costLimit: { maxCost: 20_000, objectCost: 2, scalarCost: 1, depthCostFactor: 1.5, ignoreIntrospection: true },
  // Apollo does that itself.
  blockFieldSuggestion: { enabled: false },
  // Its token limit makes Apollo 5 answer 500; the parser's own does the same with 400.
  maxTokens: { enabled: false },
});

/** Depth, aliases, directives and cost of a document, refused before anything runs; for Apollo and for subscriptions. */
export const graphqlLimits = armor.protect();
