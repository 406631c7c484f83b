import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HookHandlerDoneFunction,
} from 'fastify';
import { atFirstUse } from '../src/core/first-use.ts';
import { AppError } from '../src/core/errors.ts';
import { eventsPage } from './events-page.ts';
import { openApiDocument } from './openapi.ts';
import { withEvents } from './openapi-events.ts';
import type { Projection } from './projection.ts';

/** The page starts itself by an inline script; nothing may come from, or go to, any other host. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * GET /v1/openapi.json, /docs to read and try it, and /docs/events. All are public and make no request to outside. Each is
 * made with its first reader.
 */
export const registerDocs = (app: FastifyInstance, projection: Projection): void => {
  let document: string | undefined;
  app.get('/v1/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(withEvents(openApiDocument(projection.operations)));
    return reply.header('content-type', 'application/json; charset=utf-8').send(document);
  });
  app.get('/docs/events', async (_request, reply) =>
    reply.header('content-type', 'text/markdown; charset=utf-8').send(eventsPage()),
  );
  const page = atFirstUse(createPage);
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const server = await page();
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    server.routing(request.raw, reply.raw);
    return reply;
  };
  for (const url of ['/docs', '/docs/', '/docs/js/scalar.js']) app.get(url, { onRequest: allowThePage }, answer);
};

/** A server of its own that never listens, made with the first reader: it takes 40 MB and a fifth of a second. */
async function createPage(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const page = Fastify();
  await page.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/v1/openapi.json',
      pageTitle: 'Agent Chat Service',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  await page.ready();
  return page;
}

const allowThePage = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
  reply.header('content-security-policy', contentSecurityPolicy);
  // The plugin makes a URL of the Host header and would fail on one that is none.
  if (URL.canParse(`http://${request.hostname}`)) done();
  else done(new AppError('invalid_request', { message: 'The Host header is not valid.' }));
};
