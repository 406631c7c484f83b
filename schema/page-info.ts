import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import { Arg, createParameterDecorator, Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Position of a page in its list.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether more items follow this page.' }) hasNextPage!: boolean;
  @Field(() => String, {
    nullable: true,
    description:
      'Cursor of the last item; pass it as `after`. Null for an empty page. Valid only for the same list and order.',
  })
  endCursor!: string | null;
}

/** `after`: continues a list behind a cursor, at the same cost at any depth. */
export const AfterArg = (): ParameterDecorator =>
  Arg('after', () => String, {
    nullable: true,
    description: 'The `endCursor` of the previous page. It replaces `offset`.',
  }) as ParameterDecorator;

/** `limit`: the size of a page. */
export const LimitArg = (): ParameterDecorator =>
  Arg('limit', () => Int, {
    nullable: true,
    description: 'Page size, 1 to 100. Defaults to 20.',
  }) as ParameterDecorator;

/** `offset`: the number of items before a page. */
export const OffsetArg = (): ParameterDecorator =>
  Arg('offset', () => Int, {
    nullable: true,
    description: 'Number of items to skip. Defaults to 0.',
  }) as ParameterDecorator;

/** Whether the request selects `total`. Lists skip the count otherwise. */
export const IsCounted = (): ParameterDecorator =>
  createParameterDecorator(({ info: { fieldNodes, fragments } }) =>
    fieldNodes.some(({ selectionSet }) => selects(selectionSet, 'total', fragments)),
  ) as ParameterDecorator;

const selects = (
  set: SelectionSetNode | undefined,
  field: string,
  fragments: Readonly<Record<string, FragmentDefinitionNode | undefined>>,
): boolean =>
  set?.selections.some((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value === field;
    const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
    return selects(inner?.selectionSet, field, fragments);
  }) ?? false;
