import 'reflect-metadata';
import { GraphQLScalarType } from 'graphql';
import { Arg, Ctx, Field, Float, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { Readable } from 'node:stream';
import type { Document, DocumentStatus } from '../src/knowledge/document.ts';
import { deleteDocument, getDocument, listDocuments, retryDocument } from '../src/knowledge/documents.ts';
import { queryKnowledge } from '../src/knowledge/query-knowledge.ts';
import { uploadDocument, type UploadedFile } from '../src/knowledge/upload-document.ts';
import { queryKnowledgeInput } from '../src/knowledge/knowledge.input.ts';
import type { GraphqlContext } from './context.ts';
import { AfterArg, IsCounted, PageInfo } from './page-info.ts';
import { AbsentWhenNull, Access, GraphqlOnly, Rules } from './decorators.ts';
import { Deletion } from './deletion.ts';
import { DocumentStatusEnum } from './enums.ts';

/** A file: a part of a multipart body in REST, its name and base64 over GraphQL. */
const UploadScalar = new GraphQLScalarType<UploadedFile, never>({
  name: 'Upload',
  description: 'A file. Over GraphQL an object `{ filename, base64 }`; larger files are sent over REST.',
  extensions: { format: 'binary' },
  parseValue: (value) => {
    const { filename, base64 } = (value ?? {}) as { filename?: unknown; base64?: unknown };
    if (typeof filename === 'string' && typeof base64 === 'string') {
      return { filename, content: Readable.from([Buffer.from(base64, 'base64')]) };
    }
    throw new TypeError('must be an object with the texts `filename` and `base64`');
  },
});

@ObjectType({ description: 'How the processing of a document went, or goes.' })
class DocumentProcessing {
  @Field(() => Date, { nullable: true }) startedAt!: Date | null;
  @Field(() => Date, { nullable: true }) completedAt!: Date | null;
  @Field(() => Int, { nullable: true }) durationMs!: number | null;
  @Field(() => Int, { description: 'Chunks that can be found by meaning so far.' }) chunksDone!: number;
  @Field(() => Int, { nullable: true, description: 'null until the text is read.' }) chunksTotal!: number | null;
}

@ObjectType({ description: 'Why a document failed.' })
class DocumentError {
  @Field(() => String, {
    description: '`encrypted`, `unreadable`, `no_text`, `too_complex` or `processing_failed`.',
  })
  code!: string;
  @Field(() => String) message!: string;
}

@ObjectType('Document', { description: 'A file that an agent answers from.' })
class DocumentType {
  @Field(() => ID) id!: string;
  @Field(() => ID) agentId!: string;
  @Field(() => String) filename!: string;
  @Field(() => Int) sizeBytes!: number;
  @Field(() => Int, { nullable: true, description: 'null until processing finishes.' }) chunkCount!: number | null;
  @Field(() => DocumentStatusEnum) status!: DocumentStatus;
  @Field(() => Date) createdAt!: Date;
  @Field(() => DocumentProcessing) processing!: DocumentProcessing;
  @AbsentWhenNull()
  @Field(() => DocumentError, { nullable: true, description: 'Present when it failed.' })
  error!: DocumentError | null;
}

@ObjectType({ description: 'One page of documents, newest first.' })
class DocumentList {
  @Field(() => [DocumentType]) data!: DocumentType[];
  @Field(() => Int, { description: 'Documents in the whole list.' }) total!: number | null;
  @Field(() => Int) limit!: number;
  @Field(() => Int) offset!: number;
  @GraphqlOnly()
  @Field(() => PageInfo, { description: 'Where to go on.' })
  pageInfo!: PageInfo;
}

@ObjectType({ description: 'A piece of a document that fits a question.' })
class RetrievalResult {
  @Field(() => ID) chunkId!: string;
  @Field(() => ID) documentId!: string;
  @Field(() => String) filename!: string;
  @Field(() => String) content!: string;
  @Field(() => Float, { description: '0 to 1, higher is closer.' }) similarity!: number;
  @Field(() => Int, { description: 'Its place in the document, from 0.' }) chunkIndex!: number;
}

@ObjectType({ description: 'What a conversation would be given, best first.' })
class KnowledgeQueryResult {
  @Field(() => [RetrievalResult]) results!: RetrievalResult[];
  @Field(() => String) query!: string;
  @Field(() => Int) totalResults!: number;
}

@ObjectType({ description: 'The original of a document.' })
class DocumentContent {
  @Field(() => String) filename!: string;
  @Field(() => Int) sizeBytes!: number;
  @Field(() => String, { description: 'Where it is downloaded, with the same credential.' }) url!: string;
}

@InputType()
class UploadDocumentInput {
  @Field(() => UploadScalar, { description: '.txt, .pdf, .md, .csv or .json, at most 10 MB.' }) file!: UploadedFile;
}

@InputType()
@Rules(queryKnowledgeInput)
class QueryKnowledgeInput {
  @Field(() => String, { description: '1 to 2,000 characters.' }) query!: string;
  @Field(() => Int, { nullable: true, description: '1 to 50, default 5.' }) limit?: number | null;
}

/** A document as its owner sees it. */
export const toDocument = (document: Document): DocumentType => {
  const { startedAt, completedAt, errorCode, errorMessage } = document;
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
  };
};

@Resolver()
export class KnowledgeResolver {
  @Access('knowledge:write')
  @Mutation(() => DocumentType, { description: 'Adds a document to an agent. It is processed in the background.' })
  async uploadDocument(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID) agentId: string,
    @Arg('input', () => UploadDocumentInput) input: UploadDocumentInput,
  ): Promise<DocumentType> {
    return toDocument(await uploadDocument(ctx, agentId, input.file));
  }

  @Access('knowledge:read')
  @Query(() => DocumentList, { description: 'Documents of one of the caller’s agents.' })
  async documents(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID) agentId: string,
    @Arg('limit', () => Int, { nullable: true, description: '1 to 100, default 20.' }) limit?: number,
    @Arg('offset', () => Int, { nullable: true, description: 'Default 0.' }) offset?: number,
    @AfterArg() after?: string,
    @IsCounted() counted?: boolean,
  ): Promise<DocumentList> {
    const page = await listDocuments(ctx, agentId, { limit, offset, after, counted });
    return { ...page, data: page.data.map(toDocument) };
  }

  @Access('knowledge:read')
  @Query(() => DocumentType, { description: 'A document and how far its processing is.' })
  async document(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID) agentId: string,
    @Arg('docId', () => ID) docId: string,
  ): Promise<DocumentType> {
    return toDocument(await getDocument(ctx, agentId, docId));
  }

  @Access('knowledge:read')
  @Query(() => DocumentContent, { description: 'Where the original of a document is.' })
  async documentContent(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID) agentId: string,
    @Arg('docId', () => ID) docId: string,
  ): Promise<DocumentContent> {
    const { id, filename, sizeBytes } = await getDocument(ctx, agentId, docId);
    const url = `${ctx.config.publicUrl}/v1/knowledge/${agentId}/documents/${id}/content`;
    return { filename, sizeBytes, url };
  }

  @Access('knowledge:write')
  @Mutation(() => Deletion, { description: 'Deletes a document, its chunks, vectors and file for good.' })
  deleteDocument(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID) agentId: string,
    @Arg('docId', () => ID) docId: string,
  ): Promise<Deletion> {
    return deleteDocument(ctx, agentId, docId);
  }

  @Access('knowledge:write')
  @Mutation(() => DocumentType, { description: 'Processes a failed document once more.' })
  async retryDocument(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID) agentId: string,
    @Arg('docId', () => ID) docId: string,
  ): Promise<DocumentType> {
    return toDocument(await retryDocument(ctx, agentId, docId));
  }

  @Access('knowledge:read')
  @Query(() => KnowledgeQueryResult, { description: 'What a conversation with the agent would be given.' })
  async queryKnowledge(
    @Ctx() ctx: GraphqlContext,
    @Arg('agentId', () => ID) agentId: string,
    @Arg('input', () => QueryKnowledgeInput) input: QueryKnowledgeInput,
  ): Promise<KnowledgeQueryResult> {
    const { query, results } = await queryKnowledge(ctx, agentId, input);
    return { query, results, totalResults: results.length };
  }
}
