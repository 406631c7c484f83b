import type { GraphqlContext } from '../../schema/context.ts';
import { mediaTypes } from '../../src/knowledge/document-format.ts';
import { openDocumentContent } from '../../src/knowledge/documents.ts';
import type { Adapter } from '../register.ts';

/** GET …/content: the original, for saving: a browser neither shows nor runs it. */
export const documentContentAdapter: Adapter = (scope, { method, url, status, onRequest, parse, context }) => {
  scope.route({
    method,
    url,
    onRequest,
    handler: async (request, reply) => {
      const ctx = (await context(request, reply)) as GraphqlContext;
      const { agentId, docId } = parse(request) as { agentId: string; docId: string };
      const { document, content } = await openDocumentContent(ctx, agentId, docId);
      return reply
        .code(status)
        .header('content-type', mediaTypes[document.format])
        .header('content-length', document.sizeBytes)
        .header('content-disposition', contentDisposition(document.filename))
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(content);
    },
  });
};

/** The name in UTF-8, and for what does not know that form in ASCII. @see https://www.rfc-editor.org/rfc/rfc6266 */
export function contentDisposition(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
