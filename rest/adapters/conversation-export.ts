import { Readable } from 'node:stream';
import type { GraphqlContext } from '../../schema/context.ts';
import { exportConversation, type ExportFormat } from '../../src/conversations/export-conversation.ts';
import type { Adapter } from '../register.ts';

/** GET …/export: a conversation as a file, read from the database while it is sent. */
export const conversationExportAdapter: Adapter = (scope, { method, url, onRequest, parse, context }) => {
  scope.route({
    method,
    url,
    onRequest,
    handler: async (request, reply) => {
      const { conversationId, format } = parse(request) as { conversationId: string; format?: ExportFormat };
      const ctx = (await context(request, reply)) as GraphqlContext;
      const { filename, contentType, content } = await exportConversation(ctx, conversationId, format ?? 'markdown');
      reply.header('content-type', contentType).header('content-disposition', `attachment; filename="${filename}"`);
      return reply.send(Readable.from(content));
    },
  });
};
