import type { FastifyInstance } from 'fastify';

/**
 * Search engines may read the documentation and what people published, and messengers may preview it; everything else is an
 * API or needs a credential. Pages that must not be listed say so themselves, which a crawler has to read.
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
  app.get('/robots.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=86400').send(text),
  );
}
