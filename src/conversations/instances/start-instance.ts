import type { Logger } from 'pino';
import type { Ctx } from '../../core/ctx.ts';
import type { DatabaseClock } from '../../core/database/database-clock.ts';
import type { Sql } from '../../core/database/sql.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { type Heartbeat, startHeartbeat, type WatchedReplies } from './instances.ts';
import type { LiveGenerations } from '../replies/live-generations.ts';
import type { StoredReply } from '../replies/generation-events.ts';
import type { ReplyTable } from '../replies/reply-table.ts';

interface InstanceOptions {
  instanceId: string;
  replies: readonly InstanceReplies[];
  /** Uses a separate connection, so that heartbeats do not wait for requests. */
  heartbeatSql: Sql;
  /** Synchronized with the database at each heartbeat. */
  clock: DatabaseClock | null;
  log: Logger;
  newCtx: () => Ctx;
}

interface InstanceReplies {
  watch(newCtx: () => Ctx): WatchedReplies;
  close(): void;
}

/** Returns the replies of one table that this process writes, for its instance. */
export const repliesOf = <Stored extends StoredReply>(
  table: ReplyTable<Stored>,
  live: LiveGenerations<Stored>,
): InstanceReplies => ({
  watch: (newCtx) => ({
    statements: table,
    isLive: (id) => live.find(id) !== undefined,
    onOrphans: () => enqueueTask(newCtx(), table.recovery, {}, { key: 'recurring' }),
  }),
  close: () => live.close(),
});

/** Registers this process as an instance that writes replies, and monitors other instances for crashes. */
export async function startInstance(options: InstanceOptions): Promise<Heartbeat> {
  const { instanceId, replies, heartbeatSql: sql, clock, log, newCtx } = options;
  const heartbeat = await startHeartbeat({
    instanceId,
    sql,
    clock,
    log,
    replies: replies.map((one) => one.watch(newCtx)),
  });
  return {
    hasOthers: () => heartbeat.hasOthers(),
    stop() {
      for (const one of replies) one.close();
      return heartbeat.stop();
    },
  };
}
