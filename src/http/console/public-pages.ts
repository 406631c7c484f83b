import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loggedErrorResponse } from '../../../rest/errors.ts';
import type { Actor } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { networkOf } from '../../core/http/network.ts';
import type { RateLimits } from '../../core/http/rate-limits.ts';
import { picturesOf } from '../../images/pictures.ts';
import { peekListing } from '../../marketplace/listing.ts';
import { getProfileByName } from '../../social/profiles.ts';
import { getSharedSummary } from '../../social/shares/view-shared.ts';
import { pageHeaders } from './console.ts';
import { type PageHead, pageTemplate } from './page-head.ts';
import { allowOwnPagesOnly } from '../own-pages.ts';

interface PublicPagesOptions {
  newCtx: (actor: Actor, requestId: string) => Ctx;
  rateLimits: RateLimits;
  /** Folder of the built console. */
  folder: string;
}

/** Returns the metadata of a page as an anonymous caller may see it. @throws AppError `not_found` */
type Describe = (ctx: Ctx, named: string) => Promise<PageHead>;

interface Route {
  path: string;
  describe: Describe;
  cacheControl: string;
}

type Named = FastifyRequest<{ Params: { named: string } }>;

const maxPerMinute = 300;
const cacheable = 'public, max-age=30';

const routes: readonly Route[] = [
  { path: '/marketplace/:named', describe: describeListing, cacheControl: cacheable },
  { path: '/users/:named', describe: describeProfile, cacheControl: cacheable },
  // Not cached, so that revoking a link takes effect immediately.
  { path: '/share/:named', describe: describeShare, cacheControl: 'no-store' },
];

/**
 * Registers the pages of listings, profiles and shared links: the console's page with a title, a description and a
 * preview that search engines and messengers read without running scripts. If the item does not exist, the same page is
 * sent with status 404, because it may exist for a signed-in user.
 */
export async function registerPublicPages(
  app: FastifyInstance,
  { newCtx, rateLimits, folder }: PublicPagesOptions,
): Promise<void> {
  const template = pageTemplate(await readFile(`${folder}account.html`, 'utf8'));
  const admit = async ({ ip, id }: FastifyRequest): Promise<Ctx> => {
    const { retryAfterSeconds } = await rateLimits.tally(`public-pages:${networkOf(ip)}`, maxPerMinute, 60);
    if (retryAfterSeconds !== null) throw new AppError('rate_limited', { retryAfterSeconds });
    return newCtx({ kind: 'anonymous', ip }, id);
  };

  for (const { path, describe, cacheControl } of routes) {
    app.get(path, async (request: Named, reply) => {
      setPageHeaders(reply);
      try {
        const page = await describe(await admit(request), request.params.named);
        if (!page.isIndexable) reply.header('x-robots-tag', 'noindex');
        return await reply.header('cache-control', cacheControl).send(template.fill(page));
      } catch (error) {
        const { status, headers } = loggedErrorResponse(error, request);
        if (headers['retry-after']) reply.header('retry-after', headers['retry-after']);
        return reply.code(status).header('cache-control', 'no-store').send(template.plain);
      }
    });
  }
}

const setPageHeaders = (reply: FastifyReply): FastifyReply =>
  allowOwnPagesOnly(reply).headers(pageHeaders).type('text/html; charset=utf-8');

async function describeListing(ctx: Ctx, named: string): Promise<PageHead> {
  const listing = await peekListing(ctx, named);
  const isForAdults = listing.contentRating === 'mature';
  const { name, description, about, slug, bannerUrl, avatarUrl, moderationState } = listing;
  return {
    title: name,
    description: description ?? about ?? `An agent by ${listing.creatorDisplayName ?? listing.creatorUsername}.`,
    url: addressOf(ctx, 'marketplace', slug),
    image: await imageOf(ctx, bannerUrl, avatarUrl),
    type: 'website',
    isIndexable: moderationState === 'ok' && !isForAdults,
    isForAdults,
  };
}

async function describeProfile(ctx: Ctx, named: string): Promise<PageHead> {
  const { username, displayName, bio, bannerUrl, avatarUrl } = await getProfileByName(ctx, named);
  return {
    title: displayName ?? username,
    description: bio ?? `The agents of ${displayName ?? username}.`,
    url: addressOf(ctx, 'users', username),
    image: await imageOf(ctx, bannerUrl, avatarUrl),
    type: 'profile',
    isIndexable: true,
    isForAdults: false,
  };
}

async function describeShare(ctx: Ctx, named: string): Promise<PageHead> {
  const { type, title, note, agentName, indexable } = await getSharedSummary(ctx, named);
  const isAgent = type === 'agent';
  return {
    title: title ?? (isAgent ? agentName : 'Shared conversation'),
    description: note ?? (isAgent ? `Talk to ${agentName}.` : `A conversation with ${agentName}.`),
    url: addressOf(ctx, 'share', named),
    image: null,
    type: isAgent ? 'website' : 'article',
    isIndexable: indexable,
    isForAdults: false,
  };
}

const addressOf = ({ config }: Ctx, ...segments: string[]): string =>
  [config.publicUrl, ...segments.map(encodeURIComponent)].join('/');

/** Returns the banner, or else the avatar, with the URL at which this service serves it. */
async function imageOf(
  ctx: Ctx,
  banner: string | null | undefined,
  avatar: string | null | undefined,
): Promise<PageHead['image']> {
  if (banner) return { url: banner, isWide: true };
  const [picture] = avatar ? await picturesOf(ctx, [avatar]) : [];
  return picture ? { url: picture.large, isWide: false } : null;
}
