import type { GraphqlContext } from '../../schema/context.ts';
import { toDocument } from '../../schema/knowledge.ts';
import { toWire } from '../../src/core/wire.ts';
import { maxDocumentBytes } from '../../src/knowledge/document-content.ts';
import { addDocument, discardFile, receiveFile } from '../../src/knowledge/upload-document.ts';
import { answerKeyed, storedUnder } from '../idempotent.ts';
import type { Adapter } from '../register.ts';
import { acceptUploads, receiveUpload } from './multipart-file.ts';

const rule = { field: 'file', maxBytes: maxDocumentBytes };

/** POST …/documents: the part `file` of a multipart body, read as it arrives. */
export const uploadAdapter: Adapter = (scope, { route, method, url, status, onRequest, context }) => {
  void scope.register(async (inner) => {
    await acceptUploads(inner, rule);
    inner.route({
      method,
      url,
      onRequest,
      handler: async (request, reply) => {
        const ctx = (await context(request, reply)) as GraphqlContext;
        const { agent_id: agentId = '' } = request.params as { agent_id?: string };
        const received = await receiveUpload(request, rule, (file) => receiveFile(ctx, agentId, file));
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
