import type { FastifyInstance } from 'fastify';

/** Search engines may index the documentation; everything else is an API or needs a credential. */
const text = `User-agent: *
Allow: /docs
Disallow: /
`;

/** Registers GET /robots.txt. */
export function registerRobots(app: FastifyInstance): void {
  app.get('/robots.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=86400').send(text),
  );
}
