import type { FastifyReply } from 'fastify';
import type { Actor, UserActor } from '../core/actor.ts';
import { AppError } from '../core/errors.ts';
import { networkOf } from '../core/http/network.ts';
import type { OwnLimit, RateLimitTable } from '../core/http/rate-limit-table.ts';
import type { RateLimits, RateLimitState } from '../core/http/rate-limits.ts';

const windowSeconds = 60;
/** Limit of an account, for all its credentials together, as a multiple of the limit of one credential. */
const accountShare = 2;

/**
 * Counts a request against the limits of its credential and account, or of its address if it has no credential, or only
 * against the account's `own` limit. Reports the state of that limit in the response headers.
 * @throws AppError `rate_limited`
 */
export async function admit(
  limits: RateLimits,
  table: RateLimitTable,
  reply: FastifyReply,
  actor: Actor,
  own?: OwnLimit,
): Promise<void> {
  const state =
    own !== undefined && actor.kind === 'user'
      ? await consumeOwn(limits, table, actor, own)
      : await consumeGeneral(limits, table, actor);
  setRateLimitHeaders(reply, state);
  refuseOver(state);
}

/**
 * Counts the root fields of a GraphQL operation, whose request was already counted once, and reports the tightest limit
 * in the headers.
 * @throws AppError `rate_limited`
 */
export async function countFields(
  limits: RateLimits,
  table: RateLimitTable,
  reply: FastifyReply,
  actor: Actor,
  fields: readonly (OwnLimit | undefined)[],
): Promise<void> {
  const counted = fields.map((own) =>
    own !== undefined && actor.kind === 'user' ? consumeOwn(limits, table, actor, own) : null,
  );
  const general = counted.filter((own) => own === null).length;
  const more = Array.from({ length: Math.max(0, general - 1) }, () => consumeGeneral(limits, table, actor));
  const states = await Promise.all([...counted.filter((own) => own !== null), ...more]);
  if (states.length > 0) setRateLimitHeaders(reply, states.reduce(tighter));
  for (const state of states) refuseOver(state);
}

/** Counts a request on a WebSocket connection like an HTTP request of its account. @throws AppError `rate_limited` */
export async function admitFrame(
  limits: RateLimits,
  table: RateLimitTable,
  actor: UserActor,
  own?: OwnLimit,
): Promise<void> {
  refuseOver(await (own ? consumeOwn(limits, table, actor, own) : consumeGeneral(limits, table, actor)));
}

/**
 * Requests that exceed the limit of a credential do not count towards the account, so its other credentials keep
 * working.
 */
async function consumeGeneral(limits: RateLimits, table: RateLimitTable, actor: Actor): Promise<RateLimitState> {
  const limit = limitOf(table, actor);
  const own = await limits.consume(bucketOf(actor), limit, windowSeconds);
  if (actor.kind !== 'user' || own.retryAfterSeconds !== null) return own;
  return tighter(own, await limits.tally(`account:${actor.userId}`, accountShare * limit, windowSeconds));
}

const tighter = (one: RateLimitState, other: RateLimitState): RateLimitState =>
  other.retryAfterSeconds !== null || other.remaining < one.remaining ? other : one;

const consumeOwn = (limits: RateLimits, table: RateLimitTable, { userId, plan }: UserActor, own: OwnLimit) =>
  limits.consume(`${own}:${userId}`, table[own][plan], windowSeconds);

function refuseOver({ retryAfterSeconds }: RateLimitState): void {
  if (retryAfterSeconds !== null) throw new AppError('rate_limited', { retryAfterSeconds });
}

/** Counts a request against a separate bucket and reports its state in the headers. @throws AppError `rate_limited` */
export async function countRequest(
  limits: RateLimits,
  reply: FastifyReply,
  bucket: string,
  perMinute: number,
): Promise<void> {
  const state = await limits.consume(bucket, perMinute, windowSeconds);
  setRateLimitHeaders(reply, state);
  refuseOver(state);
}

/** Sets the rate limit headers of a request that is not counted. */
export function setUncountedHeaders(reply: FastifyReply, table: RateLimitTable): void {
  const resetAt = Math.ceil(Date.now() / 1000 / windowSeconds) * windowSeconds;
  setRateLimitHeaders(reply, { limit: table.anonymous, remaining: table.anonymous, resetAt });
}

function setRateLimitHeaders(
  reply: FastifyReply,
  { limit, remaining, resetAt }: Omit<RateLimitState, 'retryAfterSeconds'>,
): void {
  reply
    .header('x-ratelimit-limit', limit)
    .header('x-ratelimit-remaining', remaining)
    .header('x-ratelimit-reset', resetAt);
}

function bucketOf(actor: Actor): string {
  if (actor.kind === 'user') return actor.apiKeyId ?? actor.sessionId ?? actor.userId;
  return actor.kind === 'anonymous' ? `ip:${networkOf(actor.ip ?? '')}` : 'system';
}

const limitOf = (table: RateLimitTable, actor: Actor): number =>
  actor.kind === 'user' ? table[actor.plan] : table.anonymous;
