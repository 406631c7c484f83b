import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../src/accounts/mail-templates.ts';
import { listOutboxMails, type OutboxMail } from '../src/accounts/outbox-mails.ts';
import type { Ctx } from '../src/core/ctx.ts';
import { toWire } from '../src/core/wire.ts';

/** GET /dev/mail: what was mailed while no mail server is configured, as a page or as JSON. Embedded profile only. */
export function registerDevMail(app: FastifyInstance, newCtx: () => Ctx): void {
  app.get<{ Querystring: { to?: string | string[] } }>('/dev/mail', async (request, reply) => {
    const { to } = request.query;
    const mails = await listOutboxMails(newCtx(), typeof to === 'string' && to !== '' ? to : null);
    reply.headers({ 'cache-control': 'no-store', vary: 'accept' });
    if (request.headers.accept?.includes('application/json')) {
      return reply.type('application/json; charset=utf-8').send(JSON.stringify({ data: toWire(mails) }));
    }
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(page(mails));
  });
}

const page = (mails: readonly OutboxMail[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Outbox</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em }
article { border: 1px solid #8886; border-radius: 6px; padding: 0 1em; margin: 1em 0 }
pre { white-space: pre-wrap; overflow-wrap: anywhere } small { color: #777 }</style>
<h1>Outbox</h1>
<p>No mail server is configured (SMTP_URL), so mails end here. Newest first.</p>
${mails.map(article).join('\n') || '<p>Nothing yet.</p>'}
</html>
`;

const article = ({ to, subject, text, createdAt }: OutboxMail): string => `<article>
<h2>${escapeHtml(subject)}</h2>
<p><small>to ${escapeHtml(to)}, ${createdAt.toISOString()}</small></p>
<pre>${linked(escapeHtml(text))}</pre>
</article>`;

const linked = (html: string): string => html.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
