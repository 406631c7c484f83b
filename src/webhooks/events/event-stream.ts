import { callerId } from '../../accounts/caller.ts';
import { requireValidCredential } from '../../api-keys/valid-credential.ts';
import { watchCredential } from '../../api-keys/watch-credential.ts';
import type { Ctx } from '../../core/ctx.ts';
import { type AppError, invalidField } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import type { EventType } from '../../core/outbox.ts';
import { accountFeed } from './account-feed.ts';
import { type AccountEvent, type EventPosition, positionAfter, positionNow } from './event-position.ts';

interface FollowOptions {
  /** Types to include; null for all. */
  types: readonly EventType[] | null;
  /** Id of the event after which to start; null to start now. */
  after: string | null;
  /** Aborted when the reader disconnects. A generator that is waiting for events would not notice otherwise. */
  left: AbortSignal;
}

/**
 * Streams the caller's events as they are committed on any instance, starting when the promise resolves. Each event is
 * yielded at most once per stream; those of one object come in the order of their `sequence`. A stream that resumes `after` an event misses none, but
 * may repeat events that were committed around that time. Ends when `left` is aborted.
 * @throws AppError `invalid_request` for an unknown `after`, `unauthenticated`, also within seconds after the credential is
 * revoked or expires
 */
export async function followEvents(ctx: Ctx, options: FollowOptions): Promise<AsyncGenerator<AccountEvent>> {
  // Reads the position before the generator is created: the generator would read it only at its first use, when the
  // response has already begun.
  const now = options.after === null ? await positionNow(ctx) : null;
  return eventsFrom(ctx, options, now);
}

async function* eventsFrom(
  ctx: Ctx,
  { types, after, left }: FollowOptions,
  now: EventPosition | null,
): AsyncGenerator<AccountEvent> {
  const accountId = callerId(ctx);
  const lost = new AbortController();
  const stopWatching = watchCredential(ctx, (error) => lost.abort(error));
  try {
    await requireValidCredential(ctx);
    const from = after === null ? now : await startAfter(ctx, accountId, after);
    const ended = AbortSignal.any([left, lost.signal]);
    for await (const event of accountFeed(ctx, accountId).follow(from, ended)) {
      if (event.id !== after && (types === null || types.includes(event.type))) yield event;
    }
    if (lost.signal.aborted) throw lost.signal.reason as AppError;
  } finally {
    stopWatching();
  }
}

async function startAfter(ctx: Ctx, accountId: string, after: string): Promise<EventPosition> {
  const position = isId('evt_', after) ? await positionAfter(ctx.sql, accountId, after) : null;
  if (!position) throw invalidField('after', 'unknown_event', 'after must be the id of one of your events');
  return position;
}
