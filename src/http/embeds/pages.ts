import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../../accounts/mail/mail-templates.ts';
import type { Actor } from '../../core/actor.ts';
import type { Config } from '../../core/config/config.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import type { RateLimits } from '../../core/http/rate-limits.ts';
import { getServedEmbed, type ServedEmbed } from '../../embeds/visitors/start-session.ts';
import { compressDocument, type CompressedDocument, sendCompressed } from '../compressed.ts';
import { networkOf } from '../../core/http/network.ts';

interface EmbedPagesOptions {
  newCtx: (actor: Actor, requestId: string) => Ctx;
  rateLimits: RateLimits;
  /** Folder of the built widget. */
  folder: string;
}

interface WidgetFile {
  document: CompressedDocument;
  /** Version in the URL that the page loads, derived from the content of the file. */
  version: string;
  integrity: string;
}

const maxPerMinute = 3_000;
const types = {
  'widget.js': 'text/javascript; charset=utf-8',
  'frame.js': 'text/javascript; charset=utf-8',
  'frame.css': 'text/css; charset=utf-8',
} as const;
type FileName = keyof typeof types;

/**
 * Registers GET /embed/:embed_id, the only page that other websites may frame, and the files of the widget. The page is
 * never cached, because its content security policy lists the websites of its embed.
 */
export async function registerEmbedPages(
  app: FastifyInstance,
  { newCtx, rateLimits, folder }: EmbedPagesOptions,
): Promise<void> {
  const names = Object.keys(types) as FileName[];
  const files = new Map(
    await Promise.all(names.map(async (name) => [name, await readWidgetFile(folder, name)] as const)),
  );
  const admit = async (request: FastifyRequest): Promise<void> => {
    const state = await rateLimits.tally(`embed-pages:${networkOf(request.ip)}`, maxPerMinute, 60);
    if (state.retryAfterSeconds === null) return;
    throw new AppError('rate_limited', { retryAfterSeconds: state.retryAfterSeconds });
  };

  app.get<{ Params: { file: string }; Querystring: { v?: unknown } }>('/embed/v1/:file', async (request, reply) => {
    await admit(request);
    const file = files.get(request.params.file as FileName);
    if (!file) throw new AppError('not_found');
    const isVersioned = request.query.v === file.version;
    const cacheControl = isVersioned ? 'public, max-age=31536000, immutable' : 'public, max-age=300';
    return sendCompressed(request, reply, { ...file.document, cacheControl });
  });

  app.get<{ Params: { embed_id: string } }>('/embed/:embed_id', async (request, reply) => {
    await admit(request);
    const ctx = newCtx({ kind: 'anonymous', ip: request.ip }, request.id);
    const embed = await getServedEmbed(ctx, request.params.embed_id);
    return sendPage(reply, pageOf(ctx.config, embed, files));
  });
}

async function readWidgetFile(folder: string, name: FileName): Promise<WidgetFile> {
  const content = await readFile(`${folder}${name}`);
  const digest = createHash('sha384').update(content).digest();
  return {
    document: await compressDocument(types[name], content),
    version: digest.toString('base64url').slice(0, 16),
    integrity: `sha384-${digest.toString('base64')}`,
  };
}

const turnstileHost = 'https://challenges.cloudflare.com';

/**
 * Returns the content security policy of an embed's page. A live challenge needs a script and a frame of its vendor,
 * which do not support Trusted Types.
 */
function framePolicy(
  { allowedOrigins, challenge }: Pick<ServedEmbed, 'allowedOrigins' | 'challenge'>,
  isLive: boolean,
): string {
  const vendor = challenge === 'turnstile' && isLive ? ` ${turnstileHost}` : '';
  return [
    "default-src 'none'",
    `script-src 'self'${vendor}`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    ...(vendor ? [`frame-src${vendor}`] : ["require-trusted-types-for 'script'", 'trusted-types dompurify']),
    `frame-ancestors ${allowedOrigins.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function sendPage(reply: FastifyReply, { html, policy }: { html: string; policy: string }): FastifyReply {
  for (const name of ['x-frame-options', 'access-control-allow-origin', 'access-control-expose-headers'])
    reply.removeHeader(name);
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'permissions-policy': 'microphone=(), camera=(), geolocation=(), payment=(), usb=()',
      // The frame has another origin than the page around it and shares nothing with it.
      'cross-origin-resource-policy': 'cross-origin',
    })
    .send(html);
}

function pageOf(
  { embeds }: Config,
  embed: ServedEmbed,
  files: ReadonlyMap<FileName, WidgetFile>,
): { html: string; policy: string } {
  const { id, appearance, challenge, agentName } = embed;
  const data = {
    id,
    title: appearance.title ?? agentName,
    color: appearance.color,
    position: appearance.position,
    language: appearance.language,
    dark: appearance.dark,
    challenge: challenge === 'turnstile' && embeds.simulatesTurnstile ? 'simulated' : challenge,
    siteKey: challenge === 'turnstile' ? (embed.challengeSiteKey ?? embeds.turnstile?.siteKey ?? null) : null,
  };
  const attributesOf = (name: FileName, address: string): string => {
    const file = files.get(name);
    return `${address}="/embed/v1/${name}?v=${file?.version ?? ''}" integrity="${file?.integrity ?? ''}"`;
  };
  const language = appearance.language ? ` lang="${escapeHtml(appearance.language)}"` : '';
  const html = `<!doctype html>
<html${language}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="embed" content="${escapeHtml(JSON.stringify(data))}">
<title>${escapeHtml(data.title)}</title>
<link rel="stylesheet" ${attributesOf('frame.css', 'href')}>
<script type="module" ${attributesOf('frame.js', 'src')}></script>
</head>
<body></body>
</html>
`;
  return { html, policy: framePolicy(embed, !embeds.simulatesTurnstile) };
}
