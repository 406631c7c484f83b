import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/errors.ts';
import { StartError } from '../../core/process/start-error.ts';
import { sendError } from '../../../rest/errors.ts';
import { accepts } from '../../../schema/content-negotiation.ts';
import { allowOwnPagesOnly } from '../own-pages.ts';

/** First path segments that never belong to the console, whatever media type a client accepts. */
export const reservedSegments = [
  'v1',
  'graphql',
  'docs',
  'dev',
  'exports',
  'images',
  'embed',
  'healthz',
  'readyz',
  'metrics',
  'processor',
  'platforms',
  'session',
  'assets',
] as const;

/** First path segments of pages that need no sign-in. */
const visitorSegments = [
  '',
  'sign-in',
  'sign-up',
  'forgot-password',
  'reset-password',
  'verify-email',
  'restore-account',
  'account-deleted',
] as const;

/** First path segments of the console's screens. Any other path shows the same page with status 404. */
export const screenSegments = [
  ...visitorSegments,
  'chat',
  'search',
  'rooms',
  'agents',
  'explore',
  'feed',
  'marketplace',
  'users',
  'share',
  'me',
  'moderation',
  'integrations',
  'webhooks',
  'embeds',
  'events',
  'api-keys',
  'settings',
  'studio',
] as const;

export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types dompurify',
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=(), payment=(), usb=()',
};

/** Returns the folder of the built console. @throws StartError when the console or the widget is not built */
export function findConsole(): string {
  // The compiled form of this file is in dist/, next to the pages; when run from source, dist/ is beside src/.
  const path = import.meta.url.endsWith('.ts') ? '../../../dist/web/' : '../../../web/';
  const folder = fileURLToPath(new URL(path, import.meta.url));
  const isBuilt = existsSync(`${folder}index.html`) && existsSync(`${widgetFolder(folder)}frame.js`);
  if (!isBuilt) throw new StartError('The console is not built. Run `npm run build` first.');
  return folder;
}

/** Returns the folder of the built widget, which is next to that of the console. */
export const widgetFolder = (consoleFolder: string): string => join(consoleFolder, '../widget/');

/** Serves the console's files, and its page for every path that a browser opens and that does not belong to the API. */
export async function registerConsole(app: FastifyInstance, folder: string): Promise<void> {
  const options: Partial<FastifyStaticOptions> = {
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(`${folder}assets/`);
      allowOwnPagesOnly(reply)
        .headers(pageHeaders)
        .header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  };
  await app.register(fastifyStatic, { ...options, root: folder, wildcard: false, globIgnore: ['assets/**'] });
  // One route for all assets, because a route for each file adds a twentieth to the startup time.
  await app.register(async (assets) => {
    // A folder, or a path that leaves it, is refused with 403 or 400, which would become an internal error.
    assets.setErrorHandler((error: { statusCode?: number }, request, reply) =>
      sendError((error.statusCode ?? 500) < 500 ? new AppError('not_found') : error, request, reply),
    );
    await assets.register(fastifyStatic, {
      ...options,
      root: join(folder, 'assets'),
      prefix: '/assets/',
      decorateReply: false,
    });
  });
  app.get('/favicon.ico', (_request, reply) => reply.sendFile('favicon.svg'));
}

/** First path segments of pages that show public content. Link previews, crawlers and monitors read them too. */
const publicSegments = ['', 'marketplace', 'users', 'share'] as const;

/** Paths below the public pages for which public-pages.ts has no route, such as a name that is too long. */
const belowPublicPages = /^\/(?:marketplace|share)\/[^?#]|^\/users\/(?![^/?#]+\/follow(?:ers|ing)(?:[?#]|$))[^?#]/;

/**
 * Handles a path without a route: sends the console's page to a browser, and a public page to every client that accepts
 * HTML, such as one that states no preference.
 * @throws AppError `not_found` for other clients
 */
export function sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const segment = request.url.split(/[/?#]/, 2)[1] ?? '';
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  const { accept } = request.headers;
  const asksForPage = (accept ?? '').includes('text/html') || includes(publicSegments, segment);
  const wantsPage = isReading && asksForPage && accepts(accept, 'text/html');
  if (!wantsPage || includes(reservedSegments, segment)) throw new AppError('not_found');
  if (!includes(screenSegments, segment) || belowPublicPages.test(request.url))
    return reply.code(404).sendFile('index.html');
  return reply.sendFile(pageOf(segment));
}

/** Returns the variant of the page that preloads the resources of its screen: see `web/preload.ts`. */
function pageOf(segment: string): string {
  if (includes(visitorSegments, segment)) return 'index.html';
  return segment === 'chat' ? 'chat.html' : 'account.html';
}

const includes = (segments: readonly string[], segment: string): boolean => segments.includes(segment);
