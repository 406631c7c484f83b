import { Field, Int, ObjectType } from 'type-graphql';
import { AbsentWhenNull } from './decorators.ts';

@ObjectType({ description: 'First and last of a sequence of numbers, from 1.' })
export class NumberRange {
  @Field(() => Int, { description: 'First number.' }) first!: number;
  @Field(() => Int, { description: 'Last number; equal to the first for a single one.' }) last!: number;
}

/** Location of a passage in its document, in numbers. */
@ObjectType()
export abstract class ChunkLocated {
  @AbsentWhenNull()
  @Field(() => NumberRange, { nullable: true, description: 'Pages of the passage; absent unless it is of a PDF.' })
  pages?: NumberRange | null;
  @AbsentWhenNull()
  @Field(() => NumberRange, {
    nullable: true,
    description: 'Rows of the passage, counted as in a spreadsheet; absent unless it is of a table.',
  })
  rows?: NumberRange | null;
  @AbsentWhenNull()
  @Field(() => NumberRange, {
    nullable: true,
    description: 'Lines of the passage in the file; absent for a PDF, and for documents read by earlier releases.',
  })
  lines?: NumberRange | null;
}
