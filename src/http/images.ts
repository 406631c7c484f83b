import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { disconnectWhenStalled } from '../core/http/backpressure.ts';
import type { RateLimits } from '../core/http/rate-limits.ts';
import { findPublicImage, imageHeaders, openImageFile } from '../images/public-image.ts';
import { findRemoteImage } from '../images/remote/remote-image.ts';
import { networkOf } from '../core/http/network.ts';

interface ImageRoutesOptions {
  newCtx: (actor: Actor, requestId: string) => Ctx;
  rateLimits: RateLimits;
}

/** Largest number of image requests of an address a minute. A page can contain many images. */
const maxPerMinute = 3_000;
/** One day, so that a deleted picture soon disappears from caches. */
const ownMaxAge = '86400, immutable';
/** One hour, because the copy of an external picture is served only while it is an avatar. */
const copyMaxAge = '3600';

/** Registers GET /images/…: the pictures of agents and profiles. Their unguessable URLs are the credential. */
export function registerImages(app: FastifyInstance, { newCtx, rateLimits }: ImageRoutesOptions): void {
  const open = async (request: FastifyRequest): Promise<Ctx> => {
    const state = await rateLimits.tally(`images:${networkOf(request.ip)}`, maxPerMinute, 60);
    if (state.retryAfterSeconds !== null) {
      throw new AppError('rate_limited', { retryAfterSeconds: state.retryAfterSeconds });
    }
    return newCtx({ kind: 'anonymous', ip: request.ip }, request.id);
  };
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    ctx: Ctx,
    { key, etag, maxAge }: { key: string; etag: string; maxAge: string },
  ) => {
    reply.headers({ etag, 'cache-control': `public, max-age=${maxAge}` });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    const content = await openImageFile(ctx, key).catch((error: unknown) => {
      reply.removeHeader('etag').header('cache-control', 'no-store');
      throw error;
    });
    disconnectWhenStalled(reply.raw);
    return reply.headers(imageHeaders).send(content);
  };

  app.get<{ Params: { token: string; variant: string } }>('/images/:token/:variant.webp', async (request, reply) => {
    const ctx = await open(request);
    const { token, variant } = request.params;
    const { key, etag } = await findPublicImage(ctx, token, variant);
    return send(request, reply, ctx, { key, etag, maxAge: ownMaxAge });
  });

  app.get<{ Params: { signature: string }; Querystring: { url?: unknown } }>(
    '/images/remote/:signature.webp',
    async (request, reply) => {
      const ctx = await open(request);
      const { url } = request.query;
      const key = await findRemoteImage(ctx, typeof url === 'string' ? url : '', request.params.signature);
      const etag = `"${key.slice(key.lastIndexOf('/') + 1)}"`;
      return send(request, reply, ctx, { key, etag, maxAge: copyMaxAge });
    },
  );
}
