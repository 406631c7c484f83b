import { disconnectWhenStalled } from '../../src/core/http/backpressure.ts';
import { mediaTypes } from '../../src/knowledge/document-format.ts';
import { openDocumentContent } from '../../src/knowledge/documents.ts';
import type { Adapter } from '../routes/route.ts';

/** The original file of a document, as a download that a browser neither shows nor runs. */
export const documentContentAdapter: Adapter = {
  produces: [...new Set(Object.values(mediaTypes))].map((name) => ({
    name: name.replace(/;.*/, ''),
    isBinary: !/^text\/|json/.test(name),
  })),
  handle: async (request, reply, { route, parse, context }) => {
    const { agent_id: agentId, doc_id: docId } = parse(request) as { agent_id: string; doc_id: string };
    const { document, content } = await openDocumentContent(context(request, reply), agentId, docId);
    disconnectWhenStalled(reply.raw);
    return reply
      .code(route.status)
      .header('content-type', mediaTypes[document.format])
      .header('content-length', document.sizeBytes)
      .header('content-disposition', contentDisposition(document.filename))
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(content);
  },
};

/** The name in UTF-8, with an ASCII form for clients that do not support it. @see https://www.rfc-editor.org/rfc/rfc6266 */
export function contentDisposition(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
