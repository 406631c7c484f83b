import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { openApiDocument } from '../../../rest/openapi/openapi.ts';
import { withEvents } from '../../../rest/openapi/openapi-events.ts';
import { withVisitors } from '../../../rest/openapi/openapi-visitors.ts';
import type { Projection } from '../../../rest/projection/projection.ts';
import { lazy } from '../../core/lazy.ts';
import { type CompressedDocument, compressDocument, sendCompressed } from '../compressed.ts';
import { refuseOtherMethods } from '../other-methods.ts';

/** An inline script starts the page. The page must not load from, or send to, any other host. */
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

/** One day, because the script changes only with a release. */
const scriptCacheControl = 'public, max-age=86400';

/**
 * Registers GET /v1/openapi.json and /docs, a page to read and try the API. Both are public, generated on first use and
 * sent compressed.
 */
export const registerDocs = (app: FastifyInstance, projection: Projection): void => {
  const document = lazy(() =>
    compressDocument(
      'application/json; charset=utf-8',
      JSON.stringify(withEvents(withVisitors(openApiDocument(projection.operations)))),
    ),
  );
  app.get('/v1/openapi.json', async (request, reply) => sendCompressed(request, reply, await document()));
  refuseOtherMethods(app, '/v1/openapi.json', ['GET']);
  const page = lazy(renderPage);
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    sendCompressed(request, reply.header('content-security-policy', contentSecurityPolicy), (await page()).html);
  app.get('/docs', sendPage);
  app.get('/docs/', sendPage);
  app.get('/docs/js/scalar.js', async (request, reply) => sendCompressed(request, reply, (await page()).script));
};

interface Page {
  html: CompressedDocument;
  script: CompressedDocument;
}

/** Renders the page once on a server that never listens, so that the plugin, which takes 40 MB, can be released. */
async function renderPage(): Promise<Page> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const renderer = Fastify();
  await renderer.register(scalar, {
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
  const html = await renderer.inject('/docs/');
  const script = await renderer.inject('/docs/js/scalar.js');
  await renderer.close();
  return {
    // The URL of the script is relative, which works only below /docs/.
    html: await compressDocument(
      'text/html; charset=utf-8',
      html.payload.replace(/(["'])(?:\.\/)?js\/scalar\.js\1/, '$1/docs/js/scalar.js$1'),
    ),
    script: await compressDocument('text/javascript; charset=utf-8', script.rawPayload, scriptCacheControl),
  };
}
