import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../../accounts/mail/mail-templates.ts';
import { listOutboxMails, type ShownMail } from '../../accounts/mail/outbox-mails.ts';
import type { Ctx } from '../../core/ctx.ts';
import { toWire } from '../../core/wire.ts';

/**
 * Registers GET /dev/mail: the outbox that stores mails while no mail server is configured, as a page or JSON. Embedded
 * profile only.
 */
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

const page = (mails: readonly ShownMail[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Outbox</title>
<style>:root { color-scheme: light dark; --page: #fbfbfc; --card: #fff; --text: #1a1c21; --soft: #5b616e; --line: #dfe1e6; --accent: #4a4fc8 }
@media (prefers-color-scheme: dark) { :root { --page: #111318; --card: #181b21; --text: #e8eaee; --soft: #a3aab6; --line: #2f343e; --accent: #a5aaff } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; background: var(--page); color: var(--text) }
article { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 0 1em; margin: 1em 0 }
a { color: var(--accent) } h2, p, pre { overflow-wrap: anywhere } pre { white-space: pre-wrap; font: inherit } small { color: var(--soft) }</style>
<h1>Outbox</h1>
<p>No mail server is configured (SMTP_URL), so mails are kept here, newest first.</p>
${mails.map(article).join('\n') || '<p>No mails yet.</p>'}
</html>
`;

const article = ({ to, subject, text, createdAt }: ShownMail): string => `<article>
<h2>${escapeHtml(subject)}</h2>
<p><small>to ${escapeHtml(to)}, ${createdAt.toISOString()}</small></p>
<pre>${linked(escapeHtml(text))}</pre>
</article>`;

const linked = (html: string): string => html.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
