import type { FastifyInstance } from 'fastify';
import { lazy } from '../../core/lazy.ts';
import { compressDocument, sendCompressed } from '../compressed.ts';

/**
 * Search engines may index the documentation and published content, and messengers may preview it. Everything else is
 * an API or needs a credential. Pages that must not be indexed declare that themselves, so crawlers have to be able to
 * read them.
 */
const text = `User-agent: *
Allow: /docs
Allow: /marketplace
Allow: /users/
Allow: /share/
Allow: /images/
Allow: /assets/
Disallow: /
`;

/** Registers GET /robots.txt. */
export function registerRobots(app: FastifyInstance): void {
  const document = lazy(() => compressDocument('text/plain; charset=utf-8', text));
  app.get('/robots.txt', async (request, reply) => sendCompressed(request, reply, await document()));
}
