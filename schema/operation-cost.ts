import {
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

/** Maximum estimated number of objects and scalars that an operation may return. */
export const maxOperationCost = 20_000;

/** Assumed size of a list without a declared size. */
const usualListSize = 20;

interface Document {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  variables: Readonly<Record<string, unknown>>;
}

/**
 * Estimates the number of objects and scalars that an operation can return. The cost of a list's selection is
 * multiplied by the list's size: the field's `limit` argument, or otherwise `@ListSize`. Stops counting above the
 * maximum.
 */
export function operationCost(document: Document, operation: OperationDefinitionNode): number {
  const root = document.schema.getRootType(operation.operation);
  const variables = { ...defaultsOf(operation), ...document.variables };
  if (!root) return 0;
  return selectionCost({ ...document, variables, known: new Map() }, root, operation.selectionSet, null);
}

interface Walk extends Document {
  /** Cached costs of fragments, because one can be spread many times. */
  known: Map<string, number>;
}

function selectionCost(walk: Walk, type: GraphQLOutputType, set: SelectionSetNode, pageSize: number | null): number {
  let cost = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) cost += fieldCost(walk, type, selection, pageSize);
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      cost += selectionCost(walk, conditionOf(walk, selection, type), selection.selectionSet, pageSize);
    else cost += fragmentCost(walk, type, selection.name.value, pageSize);
    if (cost > maxOperationCost) break;
  }
  return cost;
}

function fragmentCost(walk: Walk, type: GraphQLOutputType, name: string, pageSize: number | null): number {
  const key = `${name} ${pageSize}`;
  const known = walk.known.get(key);
  if (known !== undefined) return known;
  const fragment = walk.fragments.get(name);
  if (!fragment) return 0;
  // Set before the fragment is visited, so that a cycle of fragments terminates.
  walk.known.set(key, 0);
  const cost = selectionCost(walk, conditionOf(walk, fragment, type), fragment.selectionSet, pageSize);
  walk.known.set(key, cost);
  return cost;
}

function fieldCost(walk: Walk, parent: GraphQLOutputType, node: FieldNode, pageSize: number | null): number {
  if (node.name.value.startsWith('__')) return 0;
  const field = isObjectType(parent) ? parent.getFields()[node.name.value] : undefined;
  if (!field) return 0;
  const size = isListType(getNullableType(field.type)) ? (pageSize ?? listSizeOf(field)) : 1;
  const type = getNamedType(field.type);
  if (isLeafType(type) || !node.selectionSet) return size;
  return size * (1 + selectionCost(walk, type, node.selectionSet, limitOf(walk, field, node)));
}

const listSizeOf = ({ extensions }: GraphQLField<unknown, unknown>): number =>
  typeof extensions['listSize'] === 'number' ? extensions['listSize'] : usualListSize;

/** Returns the requested page size of a field, or null if it has no `limit` argument. */
function limitOf(walk: Walk, field: GraphQLField<unknown, unknown>, node: FieldNode): number | null {
  if (!field.args.some(({ name }) => name === 'limit')) return null;
  const value = node.arguments?.find(({ name }) => name.value === 'limit')?.value;
  const limit = value && numberOf(walk, value);
  // The operation rejects an invalid limit later.
  return typeof limit === 'number' && limit > 0 ? limit : usualListSize;
}

function numberOf({ variables }: Walk, value: ValueNode): unknown {
  if (value.kind === Kind.INT) return Number(value.value);
  return value.kind === Kind.VARIABLE ? variables[value.name.value] : null;
}

const defaultsOf = ({ variableDefinitions }: OperationDefinitionNode): Record<string, unknown> =>
  Object.fromEntries(
    (variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
      defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
    ),
  );

function conditionOf(
  { schema }: Walk,
  {
    typeCondition,
  }:
    | Pick<FragmentDefinitionNode, 'typeCondition'>
    | { typeCondition?: FragmentDefinitionNode['typeCondition'] | undefined },
  type: GraphQLOutputType,
): GraphQLOutputType {
  const named = typeCondition && schema.getType(typeCondition.name.value);
  return named && (isObjectType(named) || isAbstractType(named)) ? named : type;
}
