import { type Change, ChangeType, CriticalityLevel, diff, DiffRule } from '@graphql-inspector/core';
import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';

/** An interface at one time: what GraphQL shows, what REST shows, and what neither of the two schemas says. */
export interface Interface {
  graphql: GraphQLSchema;
  /** The projection that REST is. */
  rest: GraphQLSchema;
  /** `GET /v1/agents agents 200`, `event agent.created data.name`; see `factsOf`. */
  facts: readonly string[];
}

/**
 * What a client of the released interface would stumble over. What was deprecated in that release may go.
 * Descriptions, new fields and new values are no concern of his.
 */
export async function breakingChanges(released: Interface, present: Interface): Promise<string[]> {
  const facts = new Set(present.facts);
  const gone = released.facts.filter((fact) => !facts.has(fact));
  return [
    ...gone.map((fact) => `REST: ${fact} is gone`),
    ...(await between(released.rest, present.rest)).map((change) => `REST: ${change}`),
    ...(await between(released.graphql, present.graphql)).map((change) => `GraphQL: ${change}`),
  ];
}

async function between(released: GraphQLSchema, present: GraphQLSchema): Promise<string[]> {
  const changes = await diff(released, present, [DiffRule.suppressRemovalOfDeprecatedField]);
  return changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .filter((change) => !isOfDeprecatedArgument(change, released))
    .map(({ message }) => message);
}

/** The removal of an argument that was deprecated, which the library has no rule for. */
function isOfDeprecatedArgument({ type, path }: Change, released: GraphQLSchema): boolean {
  if (type !== ChangeType.FieldArgumentRemoved || path === undefined) return false;
  const [typeName = '', fieldName = '', argumentName] = path.split('.');
  const parent = released.getType(typeName);
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[fieldName] : undefined;
  return (
    field?.args.some(({ name, deprecationReason }) => name === argumentName && typeof deprecationReason === 'string') ??
    false
  );
}
