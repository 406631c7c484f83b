import type { Logger } from 'pino';
import type { Ctx } from '../core/ctx.ts';
import { purgeInBatches } from '../core/purge.ts';
import type { Sql } from '../core/sql.ts';

const heartbeatMs = 2_000;

/** An instance that has not been heard of for so long is dead, and what it was running is interrupted. */
export const leaseSeconds = 10;

const beat = {
  name: 'instance_beat',
  text: `
    insert into instances (id, started_at, heartbeat_at) values ($1, now(), now())
    on conflict (id) do update set heartbeat_at = now()`,
};
const leave = { name: 'instance_leave', text: `delete from instances where id = $1` };

const listOwn = {
  name: 'instance_generations',
  text: `select id from generations where instance_id = $1 and state = 'running'`,
};
const disown = {
  name: 'instance_disown',
  text: `update generations set instance_id = '' where id = any ($1) and instance_id = $2 and state = 'running'`,
};

interface HeartbeatOptions {
  instanceId: string;
  sql: Sql;
  log: Logger;
  /** Whether this process writes a generation. */
  isLive: (generationId: string) => boolean;
}

/**
 * Shows the other instances that this one lives, until `stop`, by the database's clock. Generations that are stored as
 * its own and that it knows nothing of are left to them: their commit was answered to nobody, because PostgreSQL froze
 * or the network broke at that moment.
 */
export async function startHeartbeat(options: HeartbeatOptions): Promise<{ stop(): Promise<void> }> {
  const { instanceId, sql, log, isLive } = options;
  let unknown = new Set<string>();

  async function disownUnknown(): Promise<void> {
    const own = await sql<{ id: string }>(listOwn, [instanceId]);
    const ids = own.map(({ id }) => id).filter((id) => !isLive(id));
    // Seen twice: one that has just been committed is begun before the next look.
    const abandoned = ids.filter((id) => unknown.has(id));
    unknown = new Set(ids);
    if (abandoned.length > 0) await sql(disown, [abandoned, instanceId]);
  }

  await sql(beat, [instanceId]);
  const timer = setInterval(() => {
    Promise.all([sql(beat, [instanceId]), disownUnknown()]).catch((error: unknown) =>
      log.warn({ err: error }, 'the heartbeat of this instance was not written'),
    );
  }, heartbeatMs);
  return {
    async stop() {
      clearInterval(timer);
      await sql(leave, [instanceId]);
    },
  };
}

const countAlive = {
  name: 'instances_alive',
  text: `select count(*) as count from instances where heartbeat_at > now() - interval '${leaseSeconds} seconds'`,
};

/** How many instances have been heard of within their lease. */
export const countInstances = async (sql: Sql): Promise<number> =>
  (await sql<{ count: number }>(countAlive))[0]?.count ?? 0;

// By the clock that wrote the heartbeats. What a dead instance was running has long been interrupted.
const purgeDead = {
  name: 'purge_instances',
  text: `
    delete from instances where id in (
      select id from instances where heartbeat_at <= now() - interval '1 day' order by heartbeat_at limit $2)
      and $1::timestamptz is not null
    returning 1`,
};

/** Forgets instances that died, instead of leaving, a day ago. */
export const purgeDeadInstances = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purgeDead, ctx.clock.now(), signal);
