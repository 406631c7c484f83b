import type { FastifyReply } from 'fastify';
import { isIPv6 } from 'node:net';
import type { Actor, UserActor } from '../src/core/actor.ts';
import { AppError } from '../src/core/errors.ts';
import type { OwnLimit, RateLimitTable } from '../src/core/rate-limit-table.ts';
import type { RateLimits, RateLimitState } from '../src/core/rate-limits.ts';

const windowSeconds = 60;

/**
 * Counts a request against its credential, or its address when there is none, or against the account's `own` limit
 * instead, and shows in the answer's headers where the caller stands. @throws AppError `rate_limited`
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
      : await limits.consume(bucketOf(actor), limitOf(table, actor), windowSeconds);
  setRateLimitHeaders(reply, state);
  refuseOver(state);
}

/** Counts one operation of a request that was admitted already, such as a field of a GraphQL document. @throws AppError `rate_limited` */
export async function countAgainst(
  limits: RateLimits,
  table: RateLimitTable,
  actor: Actor,
  own: OwnLimit,
): Promise<void> {
  if (actor.kind === 'user') refuseOver(await consumeOwn(limits, table, actor, own));
}

const consumeOwn = (limits: RateLimits, table: RateLimitTable, { userId, plan }: UserActor, own: OwnLimit) =>
  limits.consume(`${own}:${userId}`, table[own][plan], windowSeconds);

function refuseOver({ retryAfterSeconds }: RateLimitState): void {
  if (retryAfterSeconds !== null) throw new AppError('rate_limited', { retryAfterSeconds });
}

/** The headers of a request that does not count. */
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
  return actor.kind === 'anonymous' ? `ip:${network(actor.ip ?? '')}` : 'system';
}

const limitOf = (table: RateLimitTable, actor: Actor): number =>
  actor.kind === 'user' ? table[actor.plan] : table.anonymous;

/** An address as it is counted: whoever has one IPv6 address has the whole /64. */
function network(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  const [head = '', tail = ''] = ip.split('%')[0]?.split('::') ?? [];
  const first = head.split(':').filter(Boolean);
  const last = tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
