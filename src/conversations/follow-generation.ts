import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx } from '../core/ctx.ts';
import { AppError, type ErrorCode } from '../core/errors.ts';
import { inTransaction } from '../core/transaction.ts';
import type { GenerationState } from './generation.entity.ts';
import { interruptOrphan } from './interrupt-generation.ts';
import type { LiveGeneration } from './live-generations.ts';
import type { Message } from './message.entity.ts';
import { findMessageById } from './messages.ts';

export type GenerationEvent =
  /** `end` is the length of the reply up to and with this piece, in UTF-16 units: where a reader can resume. */
  | { type: 'delta'; content: string; end: number }
  /** `message` is null when the generation was stopped before anything was written. */
  | { type: 'done'; message: Message | null; stopped: boolean; usage: TokenUsage | null }
  /** `again`: its instance died before this reader got anything of it, so the message can be sent anew unnoticed. */
  | { type: 'error'; code: ErrorCode | 'cancelled'; message: string; again?: boolean };

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

interface FollowOptions {
  /** Skip so many UTF-16 units of the reply. */
  from?: number;
  /** Only how it ends. */
  endOnly?: boolean;
}

type GenerationEvents = AsyncIterableIterator<GenerationEvent, void, void>;
type Next = IteratorResult<GenerationEvent, void>;

const pollMs = 150;
const orphanCheckEveryPolls = 7;
/** An instance that missed two heartbeats is perhaps dead. */
const quietSeconds = 5;

/**
 * The reply of a generation from its first character (or `from`), in order, without gaps or repeats, then how it ended;
 * whether it runs here, on another instance, or is over. Any number of readers, each at its own pace: a slow one gets
 * larger pieces, nothing is queued for it.
 */
export function followGeneration(ctx: Ctx, generationId: string, options: FollowOptions = {}): GenerationEvents {
  const live = ctx.ports.generations.find(generationId);
  if (!live) return followStored(ctx, generationId, options.from ?? 0, options);
  return options.endOnly ? followEnd(ctx, live, 0, options) : followLive(ctx, live, options);
}

// By hand, because what waits for a token is promoted to the old generation before it comes, and dies there: here that is
// one promise, while each async generator on the way takes several.
function followLive(ctx: Ctx, live: LiveGeneration, options: FollowOptions): GenerationEvents {
  let cursor = options.from ?? 0;
  let end: GenerationEvents | undefined;
  let answer: ((next: Next | Promise<Next>) => void) | undefined;
  const delta = (content: string): Next => ({
    value: { type: 'delta', content, end: (cursor += content.length) },
    done: false,
  });
  // Slicing copies the whole text, so it is only done for what came before.
  const wake = (added: string) =>
    answer?.(added && live.text.length - added.length === cursor ? delta(added) : events.next());
  const events: GenerationEvents = {
    [Symbol.asyncIterator]: () => events,
    next() {
      if (live.text.length > cursor) return Promise.resolve(delta(live.text.slice(cursor)));
      if (live.outcome) return (end ??= followEnd(ctx, live, cursor, options)).next();
      live.onceChanged(wake);
      return new Promise<Next>((resolve) => (answer = resolve));
    },
    async return() {
      live.forget(wake);
      answer?.({ value: undefined, done: true });
      return { value: undefined, done: true };
    },
  };
  return events;
}

/** How a generation of this process ends, once it has. */
async function* followEnd(
  ctx: Ctx,
  live: LiveGeneration,
  cursor: number,
  options: FollowOptions,
): AsyncGenerator<GenerationEvent, void, void> {
  await live.finished;
  const { outcome } = live;
  if (outcome?.state === 'complete' || outcome?.state === 'stopped') {
    yield { type: 'done', message: outcome.message, stopped: outcome.state === 'stopped', usage: outcome.usage };
  } else if (outcome?.state === 'failed') {
    yield { type: 'error', code: outcome.code, message: outcome.message };
  } else {
    yield* followStored(ctx, live.id, cursor, options);
  }
}

interface StoredGeneration {
  state: GenerationState;
  errorCode: ErrorCode | null;
  errorMessage: string | null;
  assistantMessageId: string;
  inputTokens: number | null;
  outputTokens: number | null;
  more: string;
  isQuiet: boolean;
}

const readStored = {
  name: 'generation_follow',
  text: `
    select g.state, g.error_code as "errorCode", g.error_message as "errorMessage", g.assistant_message_id as "assistantMessageId",
      g.input_tokens as "inputTokens", g.output_tokens as "outputTokens", coalesce((
        select string_agg(d.content, '' order by d.position) from generation_deltas d
        where d.generation_id = g.id and d.position >= $2), '') as more, not exists (
        select 1 from instances i
        where i.id = g.instance_id and i.heartbeat_at > now() - interval '${quietSeconds} seconds') as "isQuiet"
    from generations g where g.id = $1`,
};

async function* followStored(
  ctx: Ctx,
  generationId: string,
  from: number,
  options: FollowOptions,
): AsyncGenerator<GenerationEvent, void, void> {
  // `read` is how much of the checkpoints is read, `sent` how much of the reply the reader has.
  let read = 0;
  let sent = from;
  for (let polls = 1; ; polls++) {
    const [stored] = await ctx.sql<StoredGeneration>(readStored, [generationId, read]);
    if (!stored) return yield { type: 'error', code: 'cancelled', message: 'The conversation was deleted.' };
    if (stored.state !== 'running') return yield* end(ctx, stored, sent, sent === from, options);
    const start = read;
    // What may be all that there will ever be is held back: unseen, it can be begun anew.
    if (!stored.isQuiet) read += stored.more.length;
    if (read > sent && !options.endOnly) {
      const content = stored.more.slice(Math.max(0, sent - start));
      sent = read;
      yield { type: 'delta', content, end: sent };
    }
    if (polls % orphanCheckEveryPolls === 0) await inTransaction(ctx, (tx) => interruptOrphan(tx, generationId));
    await delay(pollMs);
  }
}

async function* end(
  ctx: Ctx,
  stored: StoredGeneration,
  sent: number,
  unseen: boolean,
  options: FollowOptions,
): AsyncGenerator<GenerationEvent, void, void> {
  if (stored.state === 'failed' || stored.state === 'interrupted') {
    const code = stored.errorCode ?? 'internal_error';
    const again = unseen && stored.state === 'interrupted';
    return yield { type: 'error', code, message: stored.errorMessage ?? new AppError(code).message, again };
  }
  const message = await findMessageById(ctx, stored.assistantMessageId);
  const rest = message?.content.slice(sent) ?? '';
  if (rest && !options.endOnly) yield { type: 'delta', content: rest, end: sent + rest.length };
  const { inputTokens, outputTokens } = stored;
  const usage = inputTokens === null || outputTokens === null ? null : { inputTokens, outputTokens };
  yield { type: 'done', message, stopped: stored.state === 'stopped', usage };
}

const setDelivered = {
  name: 'generation_delivered',
  text: `update generations set delivered_at = $2 where id = $1 and delivered_at is null`,
};

/** Records that a client received the end of a reply: the same text sent again is a new message from now on. */
export async function markDelivered(ctx: Ctx, generationId: string): Promise<void> {
  await ctx.sql(setDelivered, [generationId, ctx.clock.now()]);
}
