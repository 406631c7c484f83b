import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import { Arg, Args, ArgsType, type ClassType, createParameterDecorator, Field, Int, ObjectType } from 'type-graphql';
import { GraphqlOnly } from './decorators.ts';

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

/**
 * Creates the base class of a page of a list: `class AgentList extends pageOf('agents', AgentType) {}`. `items` is the
 * plural used in descriptions. `total` replaces the description of a total that is not exact.
 */
export function pageOf<Item extends object>(
  items: string,
  item: ClassType<Item>,
  total = `Number of ${items} in the whole list.`,
) {
  const heading = items.charAt(0).toUpperCase() + items.slice(1);
  @ObjectType()
  abstract class ListPage {
    @Field(() => [item], { description: `${heading} on this page.` }) data!: Item[];
    @Field(() => Int, { description: total }) total!: number | null;
    @Field(() => Int, { description: 'Page size that was applied.' }) limit!: number;
    @Field(() => Int, { description: 'Number of items skipped before this page.' }) offset!: number;
    @GraphqlOnly()
    @Field(() => PageInfo, { description: 'Cursors and whether there is a next page.' })
    pageInfo!: PageInfo;
  }
  return ListPage;
}

const limit = { nullable: true, description: 'Page size, 1 to 100. Defaults to 20.' };
const after = { nullable: true, description: 'The `endCursor` of the previous page. It replaces `offset`.' };

/**
 * The requested part of a list: `limit` items from `offset`, or after the cursor `after`, whose cost does not grow with
 * depth.
 */
export interface Paging {
  limit?: number;
  offset?: number;
  after?: string;
}

@ArgsType()
class PagingFields implements Paging {
  @Field(() => Int, limit) limit?: number;
  @Field(() => Int, { nullable: true, description: 'Number of items to skip. Defaults to 0.' }) offset?: number;
  @Field(() => String, after) after?: string;
}

/** Declares the arguments `limit`, `offset` and `after`. */
export const PagingArgs = (): ParameterDecorator => Args(() => PagingFields) as ParameterDecorator;

/** Declares only the argument `limit`, for a list with another kind of paging. */
export const LimitArg = (): ParameterDecorator => Arg('limit', () => Int, limit) as ParameterDecorator;

/** Declares only the argument `after`, for a list without offsets. */
export const AfterArg = (): ParameterDecorator => Arg('after', () => String, after) as ParameterDecorator;

/** Injects whether the request selects `total`. Otherwise lists skip the count. */
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
