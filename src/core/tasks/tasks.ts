import type { Ctx } from '../ctx.ts';
import { fromNow } from '../database/database-time.ts';
import { onCommitted } from '../database/transaction.ts';

/** Notifies workers of due tasks of a kind. Calling it twice, late or without need is harmless. */
export interface TaskWaker {
  /**
   * Notifies now, or in `inMs` milliseconds. Never throws: workers also poll, so a lost notification only causes a
   * delay.
   */
  wake(kind: string, inMs?: number): void;
}

/** Receives the notifications of `TaskWaker`, in every role. */
export interface WakeSource {
  /**
   * Calls `listener` when this process or another one wakes `kind`, which need not be a kind of task. Notifications can
   * be lost, so poll too. Returns an unsubscribe function.
   */
  onWake(kind: string, listener: () => void): () => void;
}

declare module '../ctx.ts' {
  interface Ports {
    tasks: TaskWaker;
    wakes: WakeSource;
  }
}

/**
 * Payloads by kind of task. Features add theirs by declaration merging. A payload is a JSON object that is stored
 * unencrypted, so it must not contain secrets.
 */
export interface TaskPayloads {}

export type TaskKind = keyof TaskPayloads;

export interface EnqueueOptions {
  /** Delay before the task may run, in milliseconds. Default 0. */
  delayMs?: number;
  /** Makes the task the only live one of its kind with this key; see `enqueueTask`. */
  key?: string;
  /** Number of claims before the task fails permanently. Claims of a process that died count too. Default 5. */
  maxAttempts?: number;
}

const defaultMaxAttempts = 5;

// A task that waits for a retry keeps its due time: enqueueing again must not bypass the delay.
const onLiveTask = `
    on conflict (kind, key) where key is not null and state <> 'failed' do update set
      payload = excluded.payload,
      run_at = case when tasks.state = 'pending' and tasks.attempts = 0 then least(tasks.run_at, excluded.run_at)
                    else tasks.run_at end,
      rerun_at = case when tasks.state = 'running' then least(coalesce(tasks.rerun_at, excluded.run_at), excluded.run_at) end`;
const enqueue = {
  name: 'tasks_enqueue',
  text: `
    insert into tasks (kind, key, payload, run_at, max_attempts, created_at) values ($1, $2, $3, ${fromNow('$4')}, $5, now())
    ${onLiveTask}`,
};
const enqueueMany = {
  name: 'tasks_enqueue_many',
  text: `
    insert into tasks (kind, key, payload, run_at, max_attempts, created_at)
    select $1, t.key, t.payload, now(), $4, now() from unnest($2::text[], $3::jsonb[]) as t (key, payload) order by t.key
    ${onLiveTask}`,
};

/**
 * Enqueues a task in the transaction of the change: inside `inTransaction` it exists exactly if the change does. It
 * runs at least once, within milliseconds of the commit or of the end of `delayMs`.
 *
 * With a `key` there is one live task of the kind: enqueueing again replaces the payload and moves a waiting task to
 * the earlier time; a running task runs once more afterwards; a task that failed permanently does not count.
 */
export const enqueueTask = <Kind extends TaskKind>(
  ctx: Ctx,
  kind: Kind,
  payload: TaskPayloads[Kind],
  options: EnqueueOptions = {},
): Promise<void> => writeTask(ctx, kind, payload, options);

/** Does the same as `enqueueTask` for a kind that is known only at run time. */
export async function writeTask(ctx: Ctx, kind: string, payload: object, options: EnqueueOptions = {}): Promise<void> {
  const { delayMs = 0, key = null, maxAttempts = defaultMaxAttempts } = options;
  await ctx.sql(enqueue, [kind, key, JSON.stringify(payload), delayMs, maxAttempts]);
  onCommitted(ctx, () => ctx.ports.tasks.wake(kind, delayMs));
}

/** Does the same as `enqueueTask` for up to a few hundred tasks of a kind with different keys, in one statement. */
export async function enqueueTasks<Kind extends TaskKind>(
  ctx: Ctx,
  kind: Kind,
  tasks: readonly { key: string; payload: TaskPayloads[Kind] }[],
): Promise<void> {
  const payloads = tasks.map(({ payload }) => JSON.stringify(payload));
  await ctx.sql(enqueueMany, [kind, tasks.map(({ key }) => key), payloads, defaultMaxAttempts]);
  onCommitted(ctx, () => ctx.ports.tasks.wake(kind));
}
