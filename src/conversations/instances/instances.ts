import type { Logger } from 'pino';
import type { Ctx } from '../../core/ctx.ts';
import { purgeInBatches } from '../../core/database/purge-in-batches.ts';
import { clockColumns, type ClockReading, type DatabaseClock } from '../../core/database/database-clock.ts';
import type { Sql, Statement } from '../../core/database/sql.ts';
import { leaseHolds } from './instance-lease.ts';
import type { ReplyStatements } from '../replies/reply-statements.ts';

const heartbeatMs = 2_000;

/**
 * Returns the statement of a heartbeat. It is a single one, because in an idle service each statement costs more than
 * the data that it reads.
 */
export const heartbeatStatement = (tables: readonly Pick<ReplyStatements, 'own' | 'hasOrphans'>[]): Statement => ({
  name: 'instance_beat',
  text: `
    with beat as (
      insert into instances (id, started_at, heartbeat_at) values ($1, now(), now())
      on conflict (id) do update set heartbeat_at = now()
    )
    select exists (select from instances i where i.id <> $1 and ${leaseHolds('i')}) as "hasOthers", ${clockColumns},
      jsonb_build_array(${tables.map(({ own }) => own).join(', ')}) as own,
      jsonb_build_array(${tables.map(({ hasOrphans }) => hasOrphans).join(', ')}) as "hasOrphans"`,
});
const leave = { name: 'instance_leave', text: `delete from instances where id = $1` };

/** The attempts of one table, as the heartbeat of this instance monitors them. */
export interface WatchedReplies {
  statements: Pick<ReplyStatements, 'own' | 'hasOrphans' | 'disown'>;
  /** Returns whether this process writes an attempt. */
  isLive: (id: string) => boolean;
  /** Called while there are attempts of dead instances. */
  onOrphans: () => Promise<void>;
}

interface HeartbeatOptions {
  instanceId: string;
  sql: Sql;
  log: Logger;
  replies: readonly WatchedReplies[];
  /** Synchronized with the database at each heartbeat. */
  clock: Pick<DatabaseClock, 'note'> | null;
}

interface Beat extends ClockReading {
  hasOthers: boolean;
  /** Ids of the running attempts of this instance, for each of `replies`. */
  own: string[][];
  hasOrphans: boolean[];
}

export interface Heartbeat {
  /** Returns whether the lease of another instance was valid at the last heartbeat. */
  hasOthers(): boolean;
  stop(): Promise<void>;
}

/**
 * Writes the heartbeat of this instance, with the clock of the database, until `stop`. Running attempts that are stored
 * as its own but unknown to it are disowned, so that they are interrupted: their commit succeeded, but its
 * acknowledgement was lost when PostgreSQL froze or the network failed.
 */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { instanceId, sql, log, replies, clock } = options;
  const beat = heartbeatStatement(replies.map(({ statements }) => statements));
  const unknown = new Map<WatchedReplies, ReadonlySet<string>>();
  let hasOthers = true;

  async function disownAbandoned(watched: WatchedReplies, own: readonly string[], hasOrphans: boolean): Promise<void> {
    const { statements, isLive, onOrphans } = watched;
    const ids = own.filter((id) => !isLive(id));
    // Only attempts that are unknown at two consecutive heartbeats, because an attempt starts shortly after its commit.
    const abandoned = ids.filter((id) => unknown.get(watched)?.has(id));
    unknown.set(watched, new Set(ids));
    if (abandoned.length > 0) await sql(statements.disown, [abandoned, instanceId]);
    if (hasOrphans || abandoned.length > 0) await onOrphans();
  }

  async function write(): Promise<Beat | undefined> {
    const askedMs = performance.now();
    const [found] = await sql<Beat>(beat, [instanceId]);
    hasOthers = found?.hasOthers ?? true;
    if (found) clock?.note(found, askedMs);
    return found;
  }

  async function tick(): Promise<void> {
    const found = await write();
    for (const [i, watched] of replies.entries())
      await disownAbandoned(watched, found?.own[i] ?? [], found?.hasOrphans[i] ?? false);
  }

  await write();
  const timer = setInterval(() => {
    tick().catch((error: unknown) => log.warn({ err: error }, 'could not write the heartbeat of this instance'));
  }, heartbeatMs);
  return {
    hasOthers: () => hasOthers,
    async stop() {
      clearInterval(timer);
      await sql(leave, [instanceId]);
    },
  };
}

const countAlive = {
  name: 'instances_alive',
  text: `select count(*) as count from instances i where ${leaseHolds('i')}`,
};

/** Returns the number of instances with a valid lease. */
export const countInstances = async (sql: Sql): Promise<number> =>
  (await sql<{ count: number }>(countAlive))[0]?.count ?? 0;

// Uses the clock that wrote the heartbeats. The generations of such an instance were interrupted long ago.
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
