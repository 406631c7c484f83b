import multipart, { type Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { GraphqlContext } from '../../schema/context.ts';
import { toDocument } from '../../schema/knowledge.ts';
import { AppError, invalidField } from '../../src/core/errors.ts';
import { toWire } from '../../src/core/wire.ts';
import { maxDocumentBytes } from '../../src/knowledge/document-content.ts';
import {
  addDocument,
  discardFile,
  receiveFile,
  type ReceivedFile,
  type UploadedFile,
} from '../../src/knowledge/upload-document.ts';
import { answerKeyed, storedUnder } from '../idempotent.ts';
import type { Adapter } from '../register.ts';
import { refuseForm } from './multipart-file.ts';

/** One byte more than is allowed may arrive, so that the operation says what is wrong with it. */
const limits = { fileSize: maxDocumentBytes + 1, files: 1, fields: 20, parts: 21, fieldSize: 65_536, headerPairs: 50 };

/** POST …/documents: the part `file` of a multipart body, read as it arrives. */
export const uploadAdapter: Adapter = (scope, { route, method, url, status, onRequest, context }) => {
  void scope.register(async (inner) => {
    await inner.register(multipart, { limits, throwFileSizeLimit: false });
    inner.route({
      method,
      url,
      bodyLimit: maxDocumentBytes + 1_048_576,
      onRequest,
      handler: async (request, reply) => {
        const ctx = (await context(request, reply)) as GraphqlContext;
        const received = await receive(ctx, request);
        const add = async (inner: GraphqlContext): Promise<string> => {
          const {
            processing: _processing,
            error: _error,
            ...document
          } = toDocument(await addDocument(inner, received));
          return JSON.stringify(toWire(document));
        };
        reply.header('content-type', 'application/json; charset=utf-8');
        const key = storedUnder(route, request);
        try {
          if (key === null) return await reply.code(status).send(await add(ctx));
          const body = { filename: received.filename, digest: received.digest };
          const answer = await answerKeyed(route, request, key, ctx, add, body);
          if (answer.replayed) {
            reply.header('idempotency-replayed', 'true');
            await discardFile(ctx, received);
          }
          return await reply.code(answer.status).send(answer.body);
        } catch (error) {
          await discardFile(ctx, received);
          throw error;
        }
      },
    });
  });
};

async function receive(ctx: GraphqlContext, request: FastifyRequest): Promise<ReceivedFile> {
  if (!request.isMultipart()) {
    throw new AppError('unsupported_media_type', {
      message: 'Send the document as multipart/form-data, in a file field named `file`.',
    });
  }
  const { agent_id: agentId = '' } = request.params as { agent_id?: string };
  let received: ReceivedFile | null = null;
  let refusal: Error | null = null;
  // Every part is read to its end, whatever becomes of it, so that the answer reaches a client that is still sending.
  for await (const part of partsOf(request)) {
    if (part.type !== 'file') continue;
    const file: UploadedFile = { filename: part.filename, content: part.file };
    try {
      if (part.fieldname !== 'file')
        throw invalidField('file', 'required', 'The file must be in a field named `file`.');
      received = await receiveFile(ctx, agentId, file);
    } catch (error) {
      refusal ??= error as Error;
    }
    part.file.resume();
  }
  if (received && !refusal) return received;
  if (received) await discardFile(ctx, received);
  throw refusal ?? invalidField('file', 'required', 'A file field named `file` is required.');
}

/** The parts of a form. @throws AppError `invalid_request` for a body that is none, whatever the parser says of it */
async function* partsOf(request: FastifyRequest): AsyncGenerator<Multipart, void, void> {
  try {
    yield* request.parts();
  } catch (error) {
    refuseForm(error);
  }
}
