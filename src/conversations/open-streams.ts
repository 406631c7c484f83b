import type { Plan } from '../core/actor.ts';
import type { Ctx, Ports } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';

/** Largest number of open streams of a visitor of an embed on an instance. */
const maxPerVisitor = 5;

const counts = new WeakMap<Ports, Map<string, number>>();

/**
 * Registers an open stream of the caller: a response of Server-Sent Events, of any kind, or a GraphQL subscription on a
 * WebSocket. Call it before the work that the stream starts. Returns a function that unregisters it and may be called
 * twice.
 * @throws AppError `rate_limited` when the account has as many streams open on this instance as its plan allows
 */
export function openStream(ctx: Ctx): () => void {
  // Only an account can subscribe to anything.
  if (ctx.actor.kind !== 'user') return () => undefined;
  const { userId, plan } = ctx.actor;
  const limit = limitOf(ctx, plan);
  return register(ctx, userId, limit, `An account can have at most ${limit} streams open on this plan.`);
}

/** Where `GENERATION_LIMITS` allows more replies than the largest plan has streams, each reply can be streamed. */
function limitOf({ catalog, config }: Ctx, plan: Plan): number {
  const { openStreams } = catalog.planLimits;
  const { perAccount } = config.generationLimits;
  return perAccount > openStreams.creator ? perAccount : openStreams[plan];
}

/**
 * Registers an open stream of a visitor, like `openStream`. It does not count as one of the owner's, so that visitors
 * cannot use up those.
 * @throws AppError `rate_limited` when the visitor has 5 streams open on this instance
 */
export const openVisitorStream = (ctx: Ctx, visitorId: string): (() => void) =>
  register(ctx, visitorId, maxPerVisitor, `A visitor can have at most ${maxPerVisitor} streams open.`);

function register({ ports }: Ctx, holder: string, limit: number, reason: string): () => void {
  const open = counts.get(ports) ?? new Map<string, number>();
  counts.set(ports, open);
  const held = open.get(holder) ?? 0;
  if (held >= limit)
    throw new AppError('rate_limited', { message: `${reason} Close one first.`, retryAfterSeconds: 5 });
  open.set(holder, held + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (open.get(holder) ?? 1) - 1;
    if (left > 0) open.set(holder, left);
    else open.delete(holder);
  };
}
