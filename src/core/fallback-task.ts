import type { Ctx } from './ctx.ts';
import { describeError } from './task-errors.ts';

/** Work that is done unless it is withdrawn, or as soon as the process that could have withdrawn it has died. */
export interface FallbackTask {
  /**
   * Withdraws it. Called inside `inTransaction`, it is withdrawn exactly when the rest is committed. False: it is being
   * done or has been, so what it undoes must not be relied on.
   */
  withdraw(ctx: Ctx): Promise<boolean>;
  /** Lets it become due by itself. */
  release(): void;
}

const leaseMs = 20_000;
const renewMs = 5_000;

const hold = {
  name: 'fallback_hold',
  text: `
    insert into tasks (kind, key, payload, run_at, max_attempts, created_at) values ($1, $2, $3, $4, 1000, $5)`,
};
const renew = {
  name: 'fallback_renew',
  text: `update tasks set run_at = $3 where kind = $1 and key = $2 and state = 'pending' and attempts = 0 returning id`,
};
const remove = {
  name: 'fallback_withdraw',
  text: `delete from tasks where kind = $1 and key = $2 and state = 'pending' and attempts = 0 returning id`,
};

/**
 * Writes the task now, before what it would have to undo exists, and puts it off for as long as this process lives and
 * neither withdraws nor releases it. `key` must be new.
 */
export async function holdFallbackTask(ctx: Ctx, kind: string, key: string, payload: object): Promise<FallbackTask> {
  const { sql, clock, log } = ctx;
  const due = (): Date => new Date(clock.now().getTime() + leaseMs);
  await sql(hold, [kind, key, JSON.stringify(payload), due(), clock.now()]);
  const timer = setInterval(() => {
    sql(renew, [kind, key, due()]).then(
      (rows) => rows.length === 0 && clearInterval(timer),
      (error: unknown) => log.warn({ task: kind, error: describeError(error) }, 'a fallback could not be put off'),
    );
  }, renewMs);
  timer.unref();
  return {
    withdraw: async (inner) => (await inner.sql(remove, [kind, key])).length > 0,
    release: () => clearInterval(timer),
  };
}
