import { type Change, ChangeType, CriticalityLevel, diff, DiffRule } from '@graphql-inspector/core';
import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';

/** A version of the interface: the GraphQL schema, the REST projection, and the facts that neither schema contains. */
export interface Interface {
  graphql: GraphQLSchema;
  /** The projection. */
  rest: GraphQLSchema;
  /** `GET /v1/agents agents 200`, `event agent.created data.name`; see `factsOf`. */
  facts: readonly string[];
}

/**
 * Lists the changes that break clients of the released interface. Removing what was deprecated in that release is allowed,
 * and so are new fields, new values and other descriptions.
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

/** Whether a change removes a deprecated argument, for which the library has no rule. */
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
