import type { FairQueue } from '../../core/waiting/fair-queue.ts';
import type { Logger } from 'pino';
import { AppError, type ErrorCode } from '../../core/errors.ts';
import type { Sql } from '../../core/database/sql.ts';
import { waitUntil } from '../../core/waiting/wait-until.ts';
import type { Message } from '../messages/message.entity.ts';
import type { StoredReply } from './generation-events.ts';
import { createLiveGeneration, type LiveGeneration, type LiveGenerationWriter } from './live-generation.ts';
import type { ReplyStatements } from './reply-statements.ts';
import { createCheckpoints } from './write-checkpoints.ts';

const flushIntervalMs = 250;
const settleLimitMs = 5_000;
const usualEnds: readonly GenerationEnd[] = ['complete', 'stopped', 'lost', 'upstream_error', 'upstream_timeout'];

export type GenerationEnd = 'complete' | 'stopped' | 'lost' | ErrorCode;

/** Attempts of one table that run in this process. Their text is checkpointed to PostgreSQL together. */
export interface LiveGenerations<Stored extends StoredReply = Message> {
  readonly instanceId: string;
  readonly size: number;
  /** Number of generations that ended here, by outcome. Failed ones are counted by error code. */
  readonly ended: ReadonlyMap<GenerationEnd, number>;
  start(id: string, account: string): LiveGenerationWriter<Stored>;
  find(id: string): LiveGeneration<Stored> | undefined;
  /** Stops a generation that runs here. Returns false when it does not run here. */
  stop(id: string): boolean;
  /** Ends checkpointing of a generation that is about to end. Returns whether it may have checkpoints. */
  endCheckpoints(id: string): boolean;
  /** Waits until no generation is running. Those that remain after `limitMs` end as failed. */
  drain(limitMs: number): Promise<void>;
  /** Stops checkpointing. */
  close(): void;
}

declare module '../../core/ctx.ts' {
  interface Ports {
    generations: LiveGenerations;
    /** Schedules the calls of the model for replies. */
    generationQueue: FairQueue;
  }
}

interface Entry<Stored extends StoredReply> {
  writer: LiveGenerationWriter<Stored>;
  controller: AbortController;
}

/**
 * Creates the registry of this process. Every 250 ms one statement stores the new text of all generations and finds
 * those that were stopped on other instances, so the cost does not grow with the number of tokens.
 */
export function createLiveGenerations<Stored extends StoredReply>(
  instanceId: string,
  sql: Sql,
  log: Logger,
  statements: ReplyStatements,
): LiveGenerations<Stored> {
  const entries = new Map<string, Entry<Stored>>();
  const checkpoints = createCheckpoints(instanceId, sql, statements);
  // Starts at zero, so that monitoring sees the first outcome of each kind as an increase.
  const ended = new Map<GenerationEnd, number>(usualEnds.map((end) => [end, 0]));
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const schedule = () => {
    if (timer || closed || entries.size === 0) return;
    timer = setTimeout(() => {
      void checkpoint().finally(() => {
        timer = undefined;
        schedule();
      });
    }, flushIntervalMs);
  };

  const checkpoint = async () => {
    if (entries.size === 0) return;
    try {
      const stopped = await checkpoints.write([...entries.values()].map(({ writer }) => writer));
      for (const id of stopped) entries.get(id)?.controller.abort(new GenerationStopped());
    } catch (error) {
      log.warn({ err: error }, 'could not write the checkpoint of the running generations, will retry');
    }
  };

  return {
    instanceId,
    get size() {
      return entries.size;
    },
    ended,
    start(id, account) {
      const controller = new AbortController();
      const writer = createLiveGeneration<Stored>({ id, account }, controller.signal, (outcome) => {
        const end = outcome.state === 'failed' ? outcome.code : outcome.state;
        ended.set(end, (ended.get(end) ?? 0) + 1);
        entries.delete(id);
      });
      entries.set(id, { writer, controller });
      schedule();
      return writer;
    },
    find: (id) => entries.get(id)?.writer,
    stop(id) {
      const entry = entries.get(id);
      entry?.controller.abort(new GenerationStopped());
      return entry !== undefined;
    },
    endCheckpoints(id) {
      const entry = entries.get(id);
      return entry === undefined || checkpoints.end(entry.writer);
    },
    async drain(limitMs) {
      await waitUntilEmpty(entries, limitMs);
      for (const { controller } of entries.values()) controller.abort(new GenerationShutdown());
      await waitUntilEmpty(entries, settleLimitMs);
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** Abort reason: the user stopped the generation, or this instance has lost it. */
class GenerationStopped extends Error {}

/** Abort reason: the process shuts down before the reply is complete. */
export class GenerationShutdown extends AppError {
  constructor() {
    super('unavailable', { message: 'The service is restarting. Send the message again.' });
  }
}

async function waitUntilEmpty(entries: ReadonlyMap<string, unknown>, limitMs: number): Promise<void> {
  await waitUntil(() => entries.size === 0, { timeoutMs: limitMs });
}
