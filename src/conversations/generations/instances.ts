import type { Logger } from 'pino';
import type { Ctx } from '../../core/ctx.ts';
import { purgeInBatches } from '../../core/database/purge-in-batches.ts';
import type { Sql } from '../../core/database/sql.ts';

const heartbeatMs = 2_000;

/** After so long without a heartbeat an instance counts as dead, and its generations are interrupted. */
export const leaseSeconds = 10;

const lease = `interval '${leaseSeconds} seconds'`;

const beat = {
  name: 'instance_beat',
  text: `
    with beat as (
      insert into instances (id, started_at, heartbeat_at) values ($1, now(), now())
      on conflict (id) do update set heartbeat_at = now()
    )
    select array(select id from generations where instance_id = $1 and state = 'running') as own,
      exists (select 1 from generations where instance_id = '' and state = 'running') or exists (
        select 1 from instances i join generations g on g.instance_id = i.id and g.state = 'running'
        where i.heartbeat_at <= now() - ${lease}
      ) as "hasOrphans"`,
};
const leave = { name: 'instance_leave', text: `delete from instances where id = $1` };
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
  /** Called while there are generations whose instance is dead. */
  onOrphans: () => Promise<void>;
}

/**
 * Writes the heartbeat of this instance, by the database's clock, until `stop`. Running generations that are stored as its
 * own but unknown to it are disowned, so that they are interrupted: their commit succeeded, but its acknowledgement was
 * lost when PostgreSQL froze or the network broke.
 */
export async function startHeartbeat(options: HeartbeatOptions): Promise<{ stop(): Promise<void> }> {
  const { instanceId, sql, log, isLive, onOrphans } = options;
  let unknown = new Set<string>();

  async function tick(): Promise<void> {
    const [found] = await sql<{ own: string[]; hasOrphans: boolean }>(beat, [instanceId]);
    const ids = found?.own.filter((id) => !isLive(id)) ?? [];
    // Only those seen twice: a generation starts a moment after its commit.
    const abandoned = ids.filter((id) => unknown.has(id));
    unknown = new Set(ids);
    if (abandoned.length > 0) await sql(disown, [abandoned, instanceId]);
    if (found?.hasOrphans || abandoned.length > 0) await onOrphans();
  }

  await sql(beat, [instanceId]);
  const timer = setInterval(() => {
    tick().catch((error: unknown) => log.warn({ err: error }, 'could not write the heartbeat of this instance'));
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
  text: `select count(*) as count from instances where heartbeat_at > now() - ${lease}`,
};

/** Number of instances whose lease holds. */
export const countInstances = async (sql: Sql): Promise<number> =>
  (await sql<{ count: number }>(countAlive))[0]?.count ?? 0;

// By the clock that wrote the heartbeats. The generations of a dead instance have long been interrupted.
const purgeDead = {
  name: 'purge_instances',
  text: `
    delete from instances where id in (
      select id from instances where heartbeat_at <= now() - interval '1 day' order by heartbeat_at limit $2)
      and $1::timestamptz is not null
    returning 1`,
};

/** Removes instances that died a day ago. */
export const purgeDeadInstances = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purgeDead, ctx.clock.now(), signal);
