import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx, Ports } from '../../core/ctx.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { Message } from '../messages/message.entity.ts';
import { findMessageById } from '../messages/messages.ts';
import { type GenerationState, isWithoutReply } from './generation-states.ts';
import { interruptIfOrphaned } from './interrupt-generation.ts';

const pollMs = 150;
const orphanCheckEveryPolls = 7;
/** An instance that missed two heartbeats may be dead. */
const quietSeconds = 5;

interface GenerationRow {
  conversationId: string;
  state: GenerationState;
  errorCode: ErrorCode | null;
  errorMessage: string | null;
  assistantMessageId: string;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Of a generation that ended without a reply. */
  partialText: string;
  /** Whether its instance may be dead. */
  isQuiet: boolean;
}

/** A generation as it was when it was last read. */
export interface StoredReply extends GenerationRow {
  /** Of a running generation: all that has been checkpointed. */
  text: string;
  /** The stored reply of one that is over; null when it has none. */
  message: Message | null;
}

/** Reads of a generation, for one reader. */
export interface StoredReplyReader {
  /** The next read; undefined when the generation is gone. Rejects when the read fails. */
  next(): Promise<StoredReply | undefined>;
  leave(): void;
}

const readStored = {
  name: 'generation_follow',
  text: `
    select g.conversation_id as "conversationId", g.state, g.error_code as "errorCode", g.error_message as "errorMessage",
      g.assistant_message_id as "assistantMessageId", g.input_tokens as "inputTokens", g.output_tokens as "outputTokens",
      coalesce(g.partial_text, '') as "partialText", coalesce((
        select string_agg(d.content, '' order by d.position) from generation_deltas d
        where d.generation_id = g.id and d.position >= $2), '') as more, not exists (
        select 1 from instances i
        where i.id = g.instance_id and i.heartbeat_at > now() - interval '${quietSeconds} seconds') as "isQuiet"
    from generations g where g.id = $1`,
};

interface Watch {
  readers: number;
  waiting: PromiseWithResolvers<StoredReply | undefined>[];
  /** The last read, once nothing can follow it. */
  last: Promise<StoredReply | undefined> | null;
}

const watches = new WeakMap<Ports, Map<string, Watch>>();

/** Reads a generation again and again, once for all its readers in this process, while one of them waits. */
export function readStoredReply({ ports }: Ctx, generationId: string): StoredReplyReader {
  const ofProcess = watches.get(ports) ?? new Map<string, Watch>();
  watches.set(ports, ofProcess);
  const known = ofProcess.get(generationId);
  const watch: Watch = known ?? { readers: 0, waiting: [], last: null };
  watch.readers++;
  if (!known) {
    ofProcess.set(generationId, watch);
    void poll(ports.background(), generationId, watch, () => ofProcess.delete(generationId));
  }
  return {
    next() {
      if (watch.last) return watch.last;
      const read = Promise.withResolvers<StoredReply | undefined>();
      watch.waiting.push(read);
      return read.promise;
    },
    leave: () => void watch.readers--,
  };
}

async function poll(ctx: Ctx, generationId: string, watch: Watch, remove: () => void): Promise<void> {
  let text = '';
  // The first reader asks after this turn.
  await Promise.resolve();
  for (let polls = 1; watch.readers > 0 && !watch.last;) {
    if (watch.waiting.length > 0) {
      try {
        const reply = await read(ctx, generationId, text);
        text = reply?.text ?? '';
        if (reply?.state !== 'running') watch.last = Promise.resolve(reply);
        for (const { resolve } of watch.waiting.splice(0)) resolve(reply);
        if (watch.last) break;
        if (reply?.isQuiet && polls++ % orphanCheckEveryPolls === 0)
          await interruptIfOrphaned(ctx, reply.conversationId, generationId);
      } catch (error) {
        for (const { reject } of watch.waiting.splice(0)) reject(error);
      }
    }
    await delay(pollMs);
  }
  remove();
}

async function read(ctx: Ctx, generationId: string, before: string): Promise<StoredReply | undefined> {
  const [row] = await ctx.sql<GenerationRow & { more: string }>(readStored, [generationId, before.length]);
  if (!row) return undefined;
  const { more, ...generation } = row;
  const hasMessage = row.state !== 'running' && !isWithoutReply(row.state);
  const message = hasMessage ? await findMessageById(ctx, row.assistantMessageId) : null;
  return { ...generation, text: before + more, message };
}
