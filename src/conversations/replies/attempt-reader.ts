import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx, Ports } from '../../core/ctx.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { StoredReply } from './generation-events.ts';
import { type GenerationState, isWithoutReply } from './generation-state.ts';
import type { AttemptKey } from './reply-statements.ts';
import type { ReplyTable } from './reply-table.ts';

const pollMs = 150;
const orphanCheckEveryPolls = 7;

interface AttemptRow {
  threadId: string;
  state: GenerationState;
  errorCode: ErrorCode | null;
  errorMessage: string | null;
  /** Remaining wait that the provider requested; null when there is none. */
  retryAfterSeconds: number | null;
  replyId: string;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Text that was written before an attempt ended without a reply. */
  partialText: string;
  /** Whether the instance of the attempt may be dead. */
  isQuiet: boolean;
}

/** An attempt to reply, as of the last read. */
export interface Attempt<Stored extends StoredReply> extends AttemptRow {
  /** Checkpointed text of a running attempt. */
  text: string;
  /** Stored reply of an attempt that has ended, which is broken if the attempt failed; null when it has none. */
  message: Stored | null;
}

/** Reads of an attempt for one reader. */
export interface AttemptReader<Stored extends StoredReply> {
  /** Returns the next read; undefined when the attempt no longer exists. Rejects when the read fails. */
  next(): Promise<Attempt<Stored> | undefined>;
  leave(): void;
}

interface Watch<Stored extends StoredReply> {
  readers: number;
  waiting: PromiseWithResolvers<Attempt<Stored> | undefined>[];
  /** The last read, once the attempt has ended. */
  last: Promise<Attempt<Stored> | undefined> | null;
}

/**
 * Watches by the id of the attempt. The type of the stored reply depends on the table, and an id belongs to one table
 * only.
 */
const watches = new WeakMap<Ports, Map<string, unknown>>();

/** Polls an attempt for all its readers in this process, as long as one of them waits. */
export function readAttempt<Stored extends StoredReply>(
  { ports }: Ctx,
  table: ReplyTable<Stored>,
  key: AttemptKey,
): AttemptReader<Stored> {
  const ofProcess = watches.get(ports) ?? new Map<string, unknown>();
  watches.set(ports, ofProcess);
  const known = ofProcess.get(key.id) as Watch<Stored> | undefined;
  const watch: Watch<Stored> = known ?? { readers: 0, waiting: [], last: null };
  watch.readers++;
  if (!known) {
    ofProcess.set(key.id, watch);
    void poll(ports.background(), table, key, watch, () => ofProcess.delete(key.id));
  }
  return {
    next() {
      if (watch.last) return watch.last;
      const read = Promise.withResolvers<Attempt<Stored> | undefined>();
      watch.waiting.push(read);
      return read.promise;
    },
    leave: () => void watch.readers--,
  };
}

async function poll<Stored extends StoredReply>(
  ctx: Ctx,
  table: ReplyTable<Stored>,
  key: AttemptKey,
  watch: Watch<Stored>,
  remove: () => void,
): Promise<void> {
  let text = '';
  // The first reader calls `next` after the current turn.
  await Promise.resolve();
  for (let polls = 1; watch.readers > 0 && !watch.last;) {
    if (watch.waiting.length > 0) {
      try {
        const attempt = await read(ctx, table, key, text);
        text = attempt?.text ?? '';
        if (attempt?.state !== 'running') watch.last = Promise.resolve(attempt);
        for (const { resolve } of watch.waiting.splice(0)) resolve(attempt);
        if (watch.last) break;
        if (attempt?.isQuiet && polls++ % orphanCheckEveryPolls === 0)
          await table.interruptIfOrphaned(ctx, attempt.threadId, key);
      } catch (error) {
        for (const { reject } of watch.waiting.splice(0)) reject(error);
      }
    }
    await delay(pollMs);
  }
  remove();
}

async function read<Stored extends StoredReply>(
  ctx: Ctx,
  table: ReplyTable<Stored>,
  key: AttemptKey,
  before: string,
): Promise<Attempt<Stored> | undefined> {
  const [row] = await ctx.sql<AttemptRow & { more: string }>(table.readStored, table.storedValues(key, before.length));
  if (!row) return undefined;
  const { more, ...attempt } = row;
  const hasMessage = row.state !== 'running' && (!isWithoutReply(row.state) || row.partialText !== '');
  const message = hasMessage ? await table.findMessage(ctx, row.replyId, key) : null;
  return { ...attempt, text: before + more, message };
}
