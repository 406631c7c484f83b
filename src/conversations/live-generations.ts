import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError, type ErrorCode } from '../core/errors.ts';
import type { Sql } from '../core/sql.ts';
import type { TokenUsage } from './follow-generation.ts';
import type { Message } from './message.entity.ts';

const flushIntervalMs = 250;
const settleLimitMs = 5_000;
const usualEnds: readonly GenerationEnd[] = ['complete', 'stopped', 'lost', 'upstream_error', 'upstream_timeout'];

/** How a generation ended. */
export type GenerationOutcome =
  | { state: 'complete' | 'stopped'; message: Message | null; usage: TokenUsage | null }
  /** Somebody else ended it: the lease was lost, or the conversation is gone. */
  | { state: 'lost' }
  | { state: 'failed'; code: ErrorCode; message: string };

export type GenerationEnd = 'complete' | 'stopped' | 'lost' | ErrorCode;

/** A generation that this process is running. Any number of readers follow `text`, each at its own pace. */
export interface LiveGeneration {
  readonly id: string;
  /** What is written so far. */
  readonly text: string;
  readonly outcome: GenerationOutcome | null;
  /** Aborted by `stop`, or when the generation is lost. */
  readonly signal: AbortSignal;
  /** Calls `reader` once, with what is next appended to `text`, or with '' when there is an outcome first. */
  onceChanged(reader: LiveReader): void;
  /** Calls it no more. */
  forget(reader: LiveReader): void;
  /** Resolves once there is an outcome. */
  readonly finished: Promise<void>;
}

type LiveReader = (added: string) => void;

/** The writing side of a live generation. */
export interface LiveGenerationWriter extends LiveGeneration {
  append(text: string): void;
  finish(outcome: GenerationOutcome): void;
}

/** The generations that this process runs, checkpointed together to PostgreSQL. */
export interface LiveGenerations {
  readonly instanceId: string;
  readonly size: number;
  /** How many have ended here, by how: a failed one by its error code. */
  readonly ended: ReadonlyMap<GenerationEnd, number>;
  start(id: string): LiveGenerationWriter;
  find(id: string): LiveGeneration | undefined;
  /** Ends the provider's stream of a generation that runs here; false when it does not. */
  stop(id: string): boolean;
  /** Waits until none is running; those that still are after `limitMs` are ended as failed. */
  drain(limitMs: number): Promise<void>;
  /** Ends the checkpoints. */
  close(): void;
}

declare module '../core/ctx.ts' {
  interface Ports {
    generations: LiveGenerations;
  }
}

interface Entry {
  writer: LiveGenerationWriter;
  flushed: number;
  controller: AbortController;
}

// Rows of generations that have ended meanwhile are passed over: their message holds the text.
const writeDeltas = {
  name: 'generation_deltas_write',
  text: `
    insert into generation_deltas (generation_id, position, content)
    select d.id, d.position, d.content
    from unnest($1::text[], $2::integer[], $3::text[]) as d (id, position, content)
    join generations g on g.id = d.id and g.state = 'running'
    on conflict do nothing`,
};
const findStopped = {
  name: 'generation_stops',
  text: `
    select u.id from unnest($2::text[]) as u (id)
    left join generations g on g.id = u.id
    where g.id is null or g.state <> 'running' or g.instance_id <> $1 or g.stop_requested`,
};

/**
 * Keeps the live generations of this process. Every 250 ms one statement stores what all of them have written since, and
 * another finds those that were stopped elsewhere, so the cost does not grow with their number of tokens.
 */
export function createLiveGenerations(instanceId: string, sql: Sql, log: Logger): LiveGenerations {
  const entries = new Map<string, Entry>();
  // From nothing on, so that the first of a kind is an increase to whoever watches.
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
    try {
      await flush();
      const stopped = await sql<{ id: string }>(findStopped, [instanceId, [...entries.keys()]]);
      for (const { id } of stopped) entries.get(id)?.controller.abort(new GenerationStopped());
    } catch (error) {
      log.warn({ err: error }, 'a checkpoint of the running generations failed and will be tried again');
    }
  };

  const flush = async () => {
    const pending = [...entries.values()].filter(({ writer, flushed }) => writer.text.length > flushed);
    if (pending.length === 0) return;
    const ends = pending.map(({ writer }) => writer.text.length);
    await sql(writeDeltas, [
      pending.map(({ writer }) => writer.id),
      pending.map(({ flushed }) => flushed),
      pending.map(({ writer, flushed }, i) => writer.text.slice(flushed, ends[i])),
    ]);
    pending.forEach((entry, i) => (entry.flushed = ends[i] ?? entry.flushed));
  };

  return {
    instanceId,
    get size() {
      return entries.size;
    },
    ended,
    start(id) {
      const controller = new AbortController();
      const writer = createWriter(id, controller.signal, (outcome) => {
        const end = outcome.state === 'failed' ? outcome.code : outcome.state;
        ended.set(end, (ended.get(end) ?? 0) + 1);
        entries.delete(id);
      });
      entries.set(id, { writer, flushed: 0, controller });
      schedule();
      return writer;
    },
    find: (id) => entries.get(id)?.writer,
    stop(id) {
      const entry = entries.get(id);
      entry?.controller.abort(new GenerationStopped());
      return entry !== undefined;
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

/** Why a generation's signal was aborted: its user, or whoever took it over, wants no more of it. */
class GenerationStopped extends Error {}

/** The service is going down before the reply was complete. */
export class GenerationShutdown extends AppError {
  constructor() {
    super('unavailable', { message: 'The service is restarting. Send the message again.' });
  }
}

async function waitUntilEmpty(entries: ReadonlyMap<string, unknown>, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (entries.size > 0 && Date.now() < deadline) await delay(50);
}

function createWriter(
  id: string,
  signal: AbortSignal,
  onFinish: (outcome: GenerationOutcome) => void,
): LiveGenerationWriter {
  let text = '';
  let outcome: GenerationOutcome | null = null;
  const readers = new Set<LiveReader>();
  const end = Promise.withResolvers<void>();
  const announce = (added: string) => {
    const due = [...readers];
    readers.clear();
    for (const reader of due) reader(added);
  };
  return {
    id,
    signal,
    get text() {
      return text;
    },
    get outcome() {
      return outcome;
    },
    onceChanged: (reader) => void readers.add(reader),
    forget: (reader) => void readers.delete(reader),
    finished: end.promise,
    append(more) {
      if (more === '') return;
      text += more;
      announce(more);
    },
    finish(how) {
      outcome ??= how;
      onFinish(outcome);
      announce('');
      end.resolve();
    },
  };
}
