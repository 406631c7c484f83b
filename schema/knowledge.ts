import 'reflect-metadata';
import { GraphQLScalarType } from 'graphql';
import { Arg, Ctx, Field, Float, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { Readable } from 'node:stream';
import type { Document } from '../src/knowledge/document.ts';
import type { DocumentStatus } from '../src/knowledge/document.entity.ts';
import { deleteDocument, getDocument, listDocuments, retryDocument } from '../src/knowledge/documents.ts';
import { locationOf } from '../src/knowledge/retrieval/citations.ts';
import { duplicateShare } from '../src/knowledge/retrieval/near-duplicates.ts';
import { queryKnowledge } from '../src/knowledge/retrieval/query-knowledge.ts';
import { readableExtensions } from '../src/knowledge/document-format.ts';
import { addDocument, type ReceivedFile, uploadDocument, type UploadedFile } from '../src/knowledge/upload-document.ts';
import { queryKnowledgeInput } from '../src/knowledge/knowledge.input.ts';
import type { GraphqlContext } from './context.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';
import { AbsentWhenNull, Access, OncePerRequest, RateLimit, Rules } from './decorators.ts';
import { ChunkLocated } from './chunk-location.ts';
import { DocumentReading, toDocumentReading } from './document-reading.ts';
import { Deletion } from './deletion.ts';
import { enumType } from './enum-type.ts';
import { NativeValue } from './native-value.ts';

/**
 * A file. In REST it is a part of a multipart body and is stored first. In GraphQL it is an object with the name and
 * the content in base64.
 */
export const UploadScalar = new GraphQLScalarType<UploadedFile | ReceivedFile, never>({
  name: 'Upload',
  description:
    'A file. In GraphQL an object `{ filename, base64 }`; use REST for files too large for a GraphQL request.',
  extensions: { format: 'binary' },
  parseValue: (value) => {
    if (value instanceof NativeValue) return value.value as ReceivedFile;
    const { filename, base64 } = (value ?? {}) as { filename?: unknown; base64?: unknown };
    if (typeof filename === 'string' && typeof base64 === 'string') {
      return { filename, content: Readable.from([Buffer.from(base64, 'base64')]) };
    }
    throw new TypeError('must be an object with the strings `filename` and `base64`');
  },
});

const DocumentStatusEnum = enumType<DocumentStatus>('DocumentStatus', 'Processing status of a document.', {
  processing: 'The document is being processed.',
  ready: 'The document is ready and used by the agent.',
  failed: 'Processing failed; `error` gives the reason.',
});

@ObjectType({ description: 'Processing progress of a document.' })
class DocumentProcessing {
  @Field(() => Date, { nullable: true, description: 'Start of the processing; null while it is queued.' })
  startedAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'End of the processing; null while it runs.' })
  completedAt!: Date | null;
  @Field(() => Int, { nullable: true, description: 'Processing time in milliseconds; null while it runs.' })
  durationMs!: number | null;
  @Field(() => Int, { description: 'Number of chunks that are searchable so far.' }) chunksDone!: number;
  @Field(() => Int, {
    nullable: true,
    description: 'Number of chunks in the document; null until its text has been extracted.',
  })
  chunksTotal!: number | null;
}

@ObjectType({ description: 'Why the processing of a document failed.' })
class DocumentError {
  @Field(() => String, { description: '`encrypted`, `unreadable`, `no_text`, `too_complex` or `processing_failed`.' })
  code!: string;
  @Field(() => String, { description: 'Explanation for the user.' }) message!: string;
}

@ObjectType('Document', { description: 'A file that an agent uses to answer questions.' })
export class DocumentType {
  @Field(() => ID, { description: 'Document ID (`doc_…`).' }) id!: string;
  @Field(() => ID, { description: 'Agent ID.' }) agentId!: string;
  @Field(() => String, { description: 'File name.' }) filename!: string;
  @Field(() => Int, { description: 'File size in bytes.' }) sizeBytes!: number;
  @Field(() => Int, { nullable: true, description: 'Number of searchable chunks; null until processing finishes.' })
  chunkCount!: number | null;
  @Field(() => DocumentStatusEnum, { description: 'Processing status.' }) status!: DocumentStatus;
  @Field(() => Date, { description: 'Upload time.' }) createdAt!: Date;
  @Field(() => DocumentProcessing, { description: 'Progress of the processing.' }) processing!: DocumentProcessing;
  @AbsentWhenNull()
  @Field(() => DocumentError, {
    nullable: true,
    description: 'Reason of the failure; absent unless the status is `failed`.',
  })
  error!: DocumentError | null;
  @AbsentWhenNull()
  @Field(() => DocumentReading, {
    nullable: true,
    description: 'How it was read; absent until its text has been extracted.',
  })
  reading!: DocumentReading | null;
  @AbsentWhenNull()
  @Field(() => ID, {
    nullable: true,
    description: 'Document that is deleted once this one is ready; absent unless this one is a replacement.',
  })
  replaces!: string | null;
}

@ObjectType({ description: 'A page of documents, newest first.' })
class DocumentList extends pageOf('documents', DocumentType) {}

@ObjectType({ description: 'Why a passage was returned. Results are ordered by score.' })
class RetrievalReason {
  @Field(() => [String], {
    description: 'Words, numbers and identifiers of the query that the passage contains, in their indexed form.',
  })
  words!: string[];
  @Field(() => Float, {
    description: 'Share of the query’s words that the passage contains, 0 to 1; rare words count more.',
  })
  coverage!: number;
  @Field(() => Float, {
    nullable: true,
    description:
      'Semantic similarity, in standard deviations above the level of unrelated texts; null while vectors are unavailable.',
  })
  nearness!: number | null;
  @Field(() => Float, {
    description:
      'Combination of coverage and nearness. If the best score is too low for the number of words, nothing is returned.',
  })
  score!: number;
}

@ObjectType({ description: 'A passage of a document that matches a query.' })
class RetrievalResult extends ChunkLocated {
  @Field(() => ID, { description: 'Chunk ID (`chk_…`).' }) chunkId!: string;
  @Field(() => ID, { description: 'Document ID (`doc_…`).' }) documentId!: string;
  @Field(() => String, { description: 'File name of the document.' }) filename!: string;
  @Field(() => String, { description: 'Text of the passage.' }) content!: string;
  @Field(() => Float, { description: 'Similarity to the query, 0 to 1; higher is closer.' }) similarity!: number;
  @Field(() => Int, { description: 'Position of the chunk in the document, starting at 0.' }) chunkIndex!: number;
  @Field(() => String, { description: 'Headings, pages, rows or path of the passage; empty if the document has none.' })
  place!: string;
  @Field(() => RetrievalReason, { description: 'Reason why it was returned.' }) reason!: RetrievalReason;
}

@ObjectType({ description: 'The passages that a conversation would use for a query, best first.' })
class KnowledgeQueryResult {
  @Field(() => [RetrievalResult], { description: 'Matching passages, best first.' }) results!: RetrievalResult[];
  @Field(() => String, { description: 'The query that was searched.' }) query!: string;
  @Field(() => Int, { description: 'Number of passages returned.' }) totalResults!: number;
}

@ObjectType({ description: 'The original file of a document.' })
class DocumentContent {
  @Field(() => String, { description: 'File name.' }) filename!: string;
  @Field(() => Int, { description: 'File size in bytes.' }) sizeBytes!: number;
  @Field(() => String, { description: 'Download URL. It needs the same credential as this request.' }) url!: string;
}

@InputType({ description: 'The file to upload.' })
class UploadDocumentInput {
  @Field(() => UploadScalar, { description: `${readableExtensions} file of at most 10 MB.` })
  file!: UploadedFile | ReceivedFile;
  @Field(() => ID, {
    nullable: true,
    description:
      'Document of the same agent to replace. It is deleted once the new one is ready and stays if that fails. A ' +
      'replacement adds nothing to the plan’s count.',
  })
  replaces?: string | null;
  @Field(() => String, {
    nullable: true,
    description:
      'Encoding of a text file, by a name of the Encoding Standard such as `shift_jis` or `windows-1250`. It is ' +
      'found when absent; the notes of the document say if it was guessed.',
  })
  encoding?: string | null;
}

@InputType({ description: 'A search in the documents of an agent.' })
@Rules(queryKnowledgeInput)
class QueryKnowledgeInput {
  @Field(() => String, { description: 'Search text, 1 to 2,000 characters.' }) query!: string;
  @Field(() => Int, { nullable: true, description: 'Maximum number of passages, 1 to 50. Defaults to 5.' }) limit?:
    | number
    | null;
}

/** Converts a document to its GraphQL type for the owner. */
export const toDocument = (document: Document): DocumentType => {
  const { startedAt, completedAt, errorCode, errorMessage, reading } = document;
  return {
    id: document.id,
    agentId: document.agentId,
    filename: document.filename,
    sizeBytes: document.sizeBytes,
    chunkCount: document.status === 'ready' ? document.chunksTotal : null,
    status: document.status,
    createdAt: document.createdAt,
    processing: {
      startedAt,
      completedAt,
      durationMs: startedAt && completedAt ? completedAt.getTime() - startedAt.getTime() : null,
      chunksDone: document.chunksDone,
      chunksTotal: document.chunksTotal,
    },
    error: errorCode ? { code: errorCode, message: errorMessage ?? '' } : null,
    reading: reading && toDocumentReading(reading),
    replaces: document.replaces,
  };
};

@Resolver()
export class KnowledgeResolver {
  @Access('knowledge:write')
  @OncePerRequest()
  @Mutation(() => DocumentType, { description: 'Uploads a document for an agent. It is processed in the background.' })
  async uploadDocument(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of one of the caller’s agents.' }) agentId: string,
    @Arg('input', () => UploadDocumentInput) { file, ...options }: UploadDocumentInput,
  ): Promise<DocumentType> {
    const document = 'digest' in file ? addDocument(ctx, file, options) : uploadDocument(ctx, agentId, file, options);
    return toDocument(await document);
  }

  @Access('knowledge:read')
  @Query(() => DocumentList, { description: 'Lists the documents of one of the caller’s agents, newest first.' })
  async documents(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of one of the caller’s agents.' }) agentId: string,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<DocumentList> {
    const page = await listDocuments(ctx, agentId, { ...paging, counted });
    return { ...page, data: page.data.map(toDocument) };
  }

  @Access('knowledge:read')
  @Query(() => DocumentType, { description: 'Returns a document and the progress of its processing.' })
  async document(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of the document’s agent.' }) agentId: string,
    @Arg('docId', () => ID, { description: 'Document ID.' }) docId: string,
  ): Promise<DocumentType> {
    return toDocument(await getDocument(ctx, agentId, docId));
  }

  @Access('knowledge:read')
  @Query(() => DocumentContent, { description: 'Returns the download URL of a document’s original file.' })
  async documentContent(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of the document’s agent.' }) agentId: string,
    @Arg('docId', () => ID, { description: 'Document ID.' }) docId: string,
  ): Promise<DocumentContent> {
    const { id, filename, sizeBytes } = await getDocument(ctx, agentId, docId);
    const url = `${ctx.config.publicUrl}/v1/knowledge/${agentId}/documents/${id}/content`;
    return { filename, sizeBytes, url };
  }

  @Access('knowledge:write')
  @Mutation(() => Deletion, { description: 'Permanently deletes a document with its file and chunks.' })
  deleteDocument(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of the document’s agent.' }) agentId: string,
    @Arg('docId', () => ID, { description: 'Document ID.' }) docId: string,
  ): Promise<Deletion> {
    return deleteDocument(ctx, agentId, docId);
  }

  @Access('knowledge:write')
  @Mutation(() => DocumentType, { description: 'Processes a failed document again.' })
  async retryDocument(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of the document’s agent.' }) agentId: string,
    @Arg('docId', () => ID, { description: 'Document ID.' }) docId: string,
  ): Promise<DocumentType> {
    return toDocument(await retryDocument(ctx, agentId, docId));
  }

  @Access('knowledge:read')
  @RateLimit('knowledgeQueries')
  @Query(() => KnowledgeQueryResult, {
    description:
      'Returns the passages that a conversation with the agent would use for a query. Near-duplicates are dropped: a ' +
      `passage of which ${duplicateShare * 100} % of the three-word sequences occur in a better result.`,
  })
  async queryKnowledge(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID, { description: 'ID of one of the caller’s agents.' }) agentId: string,
    @Arg('input', () => QueryKnowledgeInput) input: QueryKnowledgeInput,
  ): Promise<KnowledgeQueryResult> {
    const { query, results } = await queryKnowledge(ctx, agentId, input);
    const explained = results.map(({ words, coverage, nearness, score, place, location, ...result }) => ({
      ...result,
      ...locationOf({ place, location }),
      place,
      reason: { words, coverage, nearness, score },
    }));
    return { query, results: explained, totalResults: results.length };
  }
}
