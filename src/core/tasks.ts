import type { Ctx } from './ctx.ts';
import { onCommitted } from './transaction.ts';

/** Tells the workers that rows of a kind are due. Calling it twice, late or for nothing does no harm. */
export interface TaskWaker {
  /** Now, or at `at`. Never throws: what is lost here is found by the workers' own look at the table. */
  wake(kind: string, at?: Date): void;
}

/** Hears what `TaskWaker` is told, in every role. */
export interface WakeSource {
  /**
   * Calls `listener` when this process or another has woken `kind`, which then need not be one of tasks. A lost
   * notification is not made good: look from time to time as well. Answers how to stop it.
   */
  onWake(kind: string, listener: () => void): () => void;
}

declare module './ctx.ts' {
  interface Ports {
    tasks: TaskWaker;
    wakes: WakeSource;
  }
}

export interface EnqueueOptions {
  /** Not before this time; at once when omitted. */
  runAt?: Date;
  /** Makes the task the only live one of its kind with this key; see `enqueueTask`. */
  key?: string;
  /** Claims before the task is given up, a process that died with it included. Default 5. */
  maxAttempts?: number;
}

const defaultMaxAttempts = 5;

// A retry that is waiting keeps its time: asking again must not defeat the delay.
const enqueue = {
  name: 'tasks_enqueue',
  text: `
    insert into tasks (kind, key, payload, run_at, max_attempts, created_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (kind, key) where key is not null and state <> 'failed' do update set
      payload = excluded.payload,
      run_at = case when tasks.state = 'pending' and tasks.attempts = 0 then least(tasks.run_at, excluded.run_at)
                    else tasks.run_at end,
      rerun_at = case when tasks.state = 'running' then least(coalesce(tasks.rerun_at, excluded.run_at), excluded.run_at) end`,
};

/**
 * Writes work that must happen, in the transaction of its cause: called inside `inTransaction`, it exists exactly when
 * the change does. It runs at least once, within milliseconds of the commit or of `runAt`.
 *
 * With a `key` there is one live task of the kind: asking again replaces the payload and moves a waiting one to the
 * earlier time; one that is running runs once more when it is done; one that failed for good does not count.
 *
 * @param payload a JSON object; never a secret, it is stored as it is
 */
export async function enqueueTask(
  ctx: Ctx,
  kind: string,
  payload: object,
  options: EnqueueOptions = {},
): Promise<void> {
  const now = ctx.clock.now();
  const { runAt = now, key = null, maxAttempts = defaultMaxAttempts } = options;
  await ctx.sql(enqueue, [kind, key, JSON.stringify(payload), runAt, maxAttempts, now]);
  onCommitted(ctx, () => ctx.ports.tasks.wake(kind, runAt > now ? runAt : undefined));
}
