import { Arg, Ctx, Field, ID, Int, ObjectType, Query, Resolver, Root, Subscription } from 'type-graphql';
import { listChunks } from '../src/knowledge/document-chunks.ts';
import type { Document } from '../src/knowledge/document.ts';
import { followDocuments } from '../src/knowledge/document-updates.ts';
import type { GraphqlContext } from './context.ts';
import { ChunkLocated } from './chunk-location.ts';
import { Access } from './decorators.ts';
import { DocumentType, toDocument } from './knowledge.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';

@ObjectType({ description: 'A passage of a document, the unit of search and citation.' })
class DocumentChunk extends ChunkLocated {
  @Field(() => ID, { description: 'Chunk ID (`chk_…`).' }) id!: string;
  @Field(() => Int, { description: 'Position of the chunk in the document, starting at 0.' }) chunkIndex!: number;
  @Field(() => String, { description: 'Headings, pages or rows of the passage; empty if the document has none.' })
  place!: string;
  @Field(() => String, { description: 'Text of the chunk.' }) content!: string;
  @Field(() => Int, { description: 'Number of tokens in the text.' }) tokens!: number;
  @Field(() => Int, {
    description:
      'Number of UTF-16 code units at the beginning that repeat what precedes the chunk: the end of the previous one, or the header of a table.',
  })
  overlap!: number;
}

@ObjectType({ description: 'A page of chunks, in document order.' })
class DocumentChunkList extends pageOf('chunks', DocumentChunk) {}

@Resolver()
export class DocumentChunkResolver {
  @Access('knowledge:read')
  @Query(() => DocumentChunkList, {
    description: 'Lists the chunks of a document in order. The list is empty until the document is ready.',
  })
  async documentChunks(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of the document’s agent.' }) agentId: string,
    @Arg('docId', () => ID, { description: 'Document ID.' }) docId: string,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
    @Arg('q', () => String, { nullable: true, description: 'Only chunks that contain this text; case-insensitive.' })
    q?: string,
  ): Promise<DocumentChunkList> {
    const page = await listChunks(ctx, agentId, docId, { q, ...paging, counted });
    ctx.budget.spend(...page.data.map(({ content }) => content));
    return page;
  }

  @Access('knowledge:read')
  @Subscription(() => DocumentType, {
    description:
      'Streams changes of the documents of one of the caller’s agents. It starts with those in processing and the newest 20.',
    subscribe: ({ args, context }) => {
      const ctx = context as GraphqlContext;
      return followDocuments(ctx, (args as { agentId: string }).agentId, ctx.leftSignal());
    },
  })
  documentUpdates(
    @Root() document: Document,
    @Arg('agentId', () => ID, { description: 'ID of one of the caller’s agents.' }) _agentId: string,
  ): DocumentType {
    return toDocument(document);
  }
}
