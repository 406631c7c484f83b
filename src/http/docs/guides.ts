import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../accounts/mail/mail-templates.ts';
import { AppError } from '../../core/errors.ts';
import { lazy } from '../../core/lazy.ts';
import { accepts } from '../../../schema/content-negotiation.ts';
import { eventsPage } from '../../../rest/openapi/events-page.ts';
import { type CompressedDocument, compressDocument, sendCompressed } from '../compressed.ts';
import { type Guide, guidePath, loadGuide, markdownRenderer } from './guide-pages.ts';
import { searchGuide } from './guide-search.ts';

/** Allows no scripts, because pages and search results are rendered on the server. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Registers GET /docs/guide and the pages below it, the search `?q=` over all of them, and the event reference, which
 * clients that prefer Markdown get in that form. The pages are public, load nothing from other hosts, and are rendered
 * and compressed on the first request.
 */
export const registerGuide = (app: FastifyInstance): void => {
  const guide = lazy(loadGuide);
  const compressed = new Map<string, Promise<CompressedDocument>>();
  const sendPage = async (request: FastifyRequest, reply: FastifyReply, slug: string): Promise<FastifyReply> => {
    const loaded = await guide();
    const page = loaded.pages.get(slug);
    if (!page) throw new AppError('not_found');
    const document = compressed.get(slug) ?? compressPage(layout(loaded, page.title, page.html, ''));
    compressed.set(slug, document);
    return sendCompressed(request, protect(reply), await document);
  };
  app.get<{ Querystring: { q?: string | string[] } }>(guidePath, async (request, reply) => {
    const { q } = request.query;
    if (typeof q !== 'string' || q.trim() === '') return sendPage(request, reply, '');
    const loaded = await guide();
    reply.header('cache-control', cacheControl).type(htmlType);
    return protect(reply).send(layout(loaded, 'Search', resultsOf(loaded, q), q));
  });
  app.get<{ Params: { page: string } }>(`${guidePath}/:page`, async (request, reply) =>
    sendPage(request, reply, request.params.page),
  );
  app.get<{ Params: { page: string } }>(`${guidePath}/adr/:page`, async (request, reply) =>
    sendPage(request, reply, `adr/${request.params.page}`),
  );
  const vary = 'Accept, Accept-Encoding';
  const markdown = lazy(() => compressDocument('text/markdown; charset=utf-8', eventsPage(), cacheControl, vary));
  const events = lazy(async () => {
    const html = (await markdownRenderer())('rest/openapi/events.md', eventsPage());
    return compressPage(layout(await guide(), 'Events', html, ''), vary);
  });
  app.get('/docs/events', async (request, reply) =>
    accepts(request.headers.accept, 'text/html')
      ? sendCompressed(request, protect(reply), await events())
      : sendCompressed(request, reply, await markdown()),
  );
};

const htmlType = 'text/html; charset=utf-8';
const cacheControl = 'public, max-age=300';
const compressPage = (html: string, vary?: string): Promise<CompressedDocument> =>
  compressDocument(htmlType, html, cacheControl, vary);
const protect = (reply: FastifyReply): FastifyReply => reply.header('content-security-policy', contentSecurityPolicy);

const resultsOf = ({ sections }: Guide, query: string): string => {
  const results = searchGuide(sections, query);
  const items = results.map(({ section: { page, anchor, heading }, excerpt }) => {
    const title = heading === page.title ? page.title : `${page.title}: ${heading}`;
    return `<li><a href="${addressOf(page.slug)}#${anchor}">${escapeHtml(title)}</a><br>${escapeHtml(excerpt)}</li>`;
  });
  const none = '<p>No section contains all of these words.</p>';
  return `<h1>Results for “${escapeHtml(query)}”</h1>\n${items.length > 0 ? `<ol>${items.join('\n')}</ol>` : none}`;
};

const addressOf = (slug: string): string => (slug === '' ? guidePath : `${guidePath}/${slug}`);

const layout = ({ pages }: Guide, title: string, body: string, query: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Agent Chat Service</title>
<style>${style}</style>
<header><a href="${guidePath}">Guides</a> <a href="/docs">API reference</a>
<form action="${guidePath}" role="search"><input type="search" name="q" maxlength="200" value="${escapeHtml(query)}" aria-label="Search the guides" placeholder="Search"></form></header>
<div><nav aria-label="Guides"><details><summary>All pages</summary><ul>
${[...pages.values()].map(({ slug, title }) => `<li><a href="${addressOf(slug)}">${escapeHtml(title)}</a></li>`).join('\n')}
</ul></details></nav>
<main>
${body}
</main></div>
</html>
`;

const style = `body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 56em; padding: 0 1em 4em }
header { display: flex; gap: 1em; flex-wrap: wrap; align-items: center; padding: 1em 0; border-bottom: 1px solid #8884 }
header form { margin-left: auto } input { font: inherit; padding: .25em .5em; max-width: 100% } nav { margin: 1em 0 }
nav ul { columns: 14em; padding-left: 1.2em } pre { overflow-x: auto; padding: .8em; background: #8881; border-radius: 6px }
code { font-size: .92em } main table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border: 1px solid #8884; padding: .3em .6em; text-align: left; vertical-align: top } li { margin: .3em 0 }
h1, h2, h3 { line-height: 1.25 } main { overflow-wrap: break-word }`;
