import { Readable } from 'node:stream';
import { exportConversation, type ExportFormat } from '../../src/conversations/export-conversation.ts';
import { disconnectWhenStalled } from '../../src/core/http/backpressure.ts';
import type { Adapter } from '../routes/route.ts';

/** A conversation as a file, read from the database while it is sent. */
export const conversationExportAdapter: Adapter = {
  produces: [{ name: 'text/markdown' }, { name: 'application/json' }],
  handle: async (request, reply, { parse, context }) => {
    const { conversation_id: id, format } = parse(request) as { conversation_id: string; format?: ExportFormat };
    const { filename, contentType, content } = await exportConversation(
      context(request, reply),
      id,
      format ?? 'markdown',
    );
    reply.header('content-type', contentType).header('content-disposition', `attachment; filename="${filename}"`);
    disconnectWhenStalled(reply.raw);
    return reply.send(Readable.from(content));
  },
};
