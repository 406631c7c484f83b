import type { FastifyInstance } from 'fastify';

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
  app.get('/robots.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=86400').send(text),
  );
}
