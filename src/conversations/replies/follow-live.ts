import type { Ctx } from '../../core/ctx.ts';
import type { GenerationEvent, GenerationEvents, StoredReply } from './generation-events.ts';
import { type FollowOptions, followStored } from './follow-stored.ts';
import type { LiveGeneration } from './live-generation.ts';
import type { ReplyTable } from './reply-table.ts';

/**
 * Follows a generation of this process. Hand-written iterator: each promise that waits for a token is promoted to V8's
 * old generation before the token arrives. This iterator allocates one; every async generator in between would add
 * several.
 */
export function followLive<Stored extends StoredReply>(
  ctx: Ctx,
  table: ReplyTable<Stored>,
  live: LiveGeneration<Stored>,
  options: FollowOptions,
): GenerationEvents<Stored> {
  type Next = IteratorResult<GenerationEvent<Stored>, void>;
  const { from = 0 } = options;
  // This process has the whole text, so a position beyond it belongs to another reply.
  let cursor = from <= live.text.length ? from : 0;
  let end: GenerationEvents<Stored> | undefined;
  let resolveNext: ((next: Next | Promise<Next>) => void) | undefined;
  const delta = (content: string): Next => ({
    value: { type: 'delta', content, end: (cursor += content.length) },
    done: false,
  });
  // Slicing copies the whole text, so the newest piece, which is the usual case, is used as it is.
  const wake = (added: string) =>
    resolveNext?.(added && live.text.length - added.length === cursor ? delta(added) : events.next());
  const events: GenerationEvents<Stored> = {
    [Symbol.asyncIterator]: () => events,
    next() {
      if (live.text.length > cursor) return Promise.resolve(delta(live.text.slice(cursor)));
      if (live.outcome) return (end ??= followEnd(ctx, table, live, cursor, options)).next();
      live.onceChanged(wake);
      return new Promise<Next>((resolve) => (resolveNext = resolve));
    },
    async return() {
      live.forget(wake);
      resolveNext?.({ value: undefined, done: true });
      return { value: undefined, done: true };
    },
  };
  return events;
}

/** Yields the outcome of a generation of this process once it has ended. */
export async function* followEnd<Stored extends StoredReply>(
  ctx: Ctx,
  table: ReplyTable<Stored>,
  live: LiveGeneration<Stored>,
  cursor: number,
  options: FollowOptions,
): AsyncGenerator<GenerationEvent<Stored>, void, void> {
  await live.finished;
  const { outcome } = live;
  if (outcome?.state === 'complete' || outcome?.state === 'stopped') {
    yield { type: 'done', message: outcome.message, stopped: outcome.state === 'stopped', usage: outcome.usage };
  } else if (outcome?.state === 'failed') {
    const { state: _, ...failure } = outcome;
    yield { type: 'error', ...failure };
  } else {
    yield* followStored(ctx, table, live, options.from ?? 0, options, cursor);
  }
}
