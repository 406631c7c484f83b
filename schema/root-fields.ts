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
 * Returns the root fields that an operation executes, one per response key: an alias executes a field again, a repeated
 * selection does not. Fields with `@skip` or `@include` are always counted.
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

/** Returns the separate rate limit of a root field, or undefined if the general one applies. */
export const ownLimitOf = ({ extensions }: RootField): OwnLimit | undefined =>
  extensions['ownLimit'] as OwnLimit | undefined;

/** Validation rule that rejects an operation with several executions of a field marked `@OncePerRequest`. */
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
