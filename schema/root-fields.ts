import {
  type ASTVisitor,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';
import type { OwnLimit } from '../src/core/http/rate-limit-table.ts';

type RootField = GraphQLField<unknown, unknown>;
type FindFragment = (name: string) => FragmentDefinitionNode | null | undefined;

/**
 * The root fields that an operation runs, one for each response key: aliases run a field again, repeated selections do
 * not. Fields that a directive may skip are included.
 */
export function rootFieldsOf(
  schema: GraphQLSchema,
  { operation, selectionSet }: OperationDefinitionNode,
  findFragment: FindFragment,
): RootField[] {
  const fields = schema.getRootType(operation)?.getFields() ?? ({} as ReturnType<GraphQLObjectType['getFields']>);
  const byKey = new Map<string, RootField>();
  const seen = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const field = fields[selection.name.value];
        if (field) byKey.set(selection.alias?.value ?? selection.name.value, field);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = findFragment(selection.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  collect(selectionSet);
  return [...byKey.values()];
}

/** The limit of its own that a root field counts against; undefined for the general one. */
export const ownLimitOf = ({ extensions }: RootField): OwnLimit | undefined =>
  extensions['ownLimit'] as OwnLimit | undefined;

/** Validation rule: rejects an operation that runs a field marked `@OncePerRequest` more than once. */
export const oncePerRequestRule = (context: ValidationContext): ASTVisitor => ({
  OperationDefinition(operation) {
    const schema = context.getSchema();
    const counts = Map.groupBy(
      rootFieldsOf(schema, operation, (name) => context.getFragment(name)).filter(isOncePerRequest),
      ({ name }) => name,
    );
    for (const [name, { length }] of counts) {
      if (length === 1) continue;
      context.reportError(new GraphQLError(`\`${name}\` may be used only once in a request.`, { nodes: [operation] }));
    }
  },
});

const isOncePerRequest = ({ extensions }: RootField): boolean => extensions['oncePerRequest'] === true;
