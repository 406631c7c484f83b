import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import { Arg, createParameterDecorator, Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Where a page ends, and whether there is more behind it.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether there is a page behind this one.' }) hasNextPage!: boolean;
  @Field(() => String, {
    nullable: true,
    description:
      'Where this page ends, to be given as `after`; null when it is empty. Good for this list and order only.',
  })
  endCursor!: string | null;
}

/** The argument with which any list is read on, at the same cost however deep. */
export const AfterArg = (): ParameterDecorator =>
  Arg('after', () => String, {
    nullable: true,
    description: 'The `endCursor` of the page before this one, in place of `offset`.',
  }) as ParameterDecorator;

/** Whether the caller selects `total`, so that nothing is counted for nobody. */
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
