import { Field, Int, ObjectType } from 'type-graphql';
import { explain, type Reading } from '../src/knowledge/extract/reading.ts';
import { AbsentWhenNull, ListSize } from './decorators.ts';

@ObjectType({ description: 'Something of one kind that could not be read in a document.' })
class DocumentNote {
  @Field(() => String, {
    description:
      '`encoding_guessed`, `bytes_invalid`, `rows_unreadable`, `lines_unreadable`, `files_left_out`, ' +
      '`pages_without_text` or `pages_unreadable`.',
  })
  code!: string;
  @Field(() => String, { description: 'Explanation for the user, with what to do.' }) message!: string;
  @Field(() => Int, { description: 'Number of pages, rows, places or files.' }) count!: number;
  @ListSize(20)
  @Field(() => [String], { description: 'Where they are, such as `page 3`: the first 20.' })
  places!: string[];
}

@ObjectType({ description: 'How a document was read, and what could not be read.' })
export class DocumentReading {
  @AbsentWhenNull()
  @Field(() => String, {
    nullable: true,
    description: 'Encoding of a text file, as in the Encoding Standard; absent for a PDF.',
  })
  encoding!: string | null;
  @AbsentWhenNull()
  @Field(() => Int, { nullable: true, description: 'Number of pages of a PDF; absent for other formats.' })
  pages!: number | null;
  @ListSize(7)
  @Field(() => [DocumentNote], { description: 'What could not be read; empty if everything was read.' })
  notes!: DocumentNote[];
}

export const toDocumentReading = (reading: Reading): DocumentReading => ({
  ...reading,
  notes: reading.notes.map((note) => ({ ...note, message: explain(note, reading) })),
});
