import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../../accounts/mail/mail-templates.ts';
import type { Ctx } from '../../core/ctx.ts';
import { lazy } from '../../core/lazy.ts';
import { isId } from '../../core/ids.ts';

const listTests = {
  name: 'dev_embeds',
  text: `
    select id, name from embeds where test and active and deleted_at is null order by created_at desc, id desc limit 20`,
};

/**
 * Registers GET /dev/embed: a test website on another origin of this machine (another port) that shows an embed.
 * Without `?embed=` it lists the embeds that allow that.
 */
export function registerDevEmbed(app: FastifyInstance, newCtx: (requestId: string) => Ctx): void {
  const website = lazy(startWebsite);
  let server: Server | null = null;
  app.addHook('onClose', async () => {
    server?.closeAllConnections();
    server?.close();
  });
  app.get<{ Querystring: { embed?: unknown } }>('/dev/embed', async (request, reply) => {
    const { embed } = request.query;
    if (typeof embed === 'string' && isId('emb_', embed)) {
      server = await website();
      const service = encodeURIComponent(`http://${request.host}`);
      return reply.redirect(`http://localhost:${portOf(server)}/?embed=${embed}&service=${service}`);
    }
    const rows = await newCtx(request.id).sql<{ id: string; name: string }>(listTests);
    const items = rows.map(({ id, name }) => `<li><a href="/dev/embed?embed=${id}">${escapeHtml(name)}</a></li>`);
    const none =
      '<p>No embed allows this. Create one with <code>test</code> and the origin <code>http://localhost:*</code>.</p>';
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
      .send(page('Embeds', items.length > 0 ? `<ul>${items.join('')}</ul>` : none));
  });
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Starts the test website. Its content security policy allows only scripts and frames of the service. */
async function startWebsite(): Promise<Server> {
  const server = createServer(showWebsite);
  server.unref();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return server;
}

const serviceForm = /^http:\/\/(?:localhost|127\.0\.0\.1):\d{1,5}$/;

function showWebsite(request: IncomingMessage, response: ServerResponse): void {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const [embed, service] = [searchParams.get('embed') ?? '', searchParams.get('service') ?? ''];
  if (!isId('emb_', embed) || !serviceForm.test(service)) {
    response.writeHead(404).end();
    return;
  }
  const line = `<script async src="${service}/embed/v1/widget.js" data-embed="${embed}"></script>`;
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src ${service}; frame-src ${service}`,
  });
  response.end(
    page(
      'A website of yours',
      `<p>This page is on another origin and includes one line:</p><pre>${escapeHtml(line)}</pre>${line}`,
    ),
  );
}

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${title}</title>
<h1>${title}</h1>
${body}
</html>
`;
