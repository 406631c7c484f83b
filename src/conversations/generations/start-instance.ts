import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Ctx } from '../../core/ctx.ts';
import type { Sql } from '../../core/database/sql.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { startHeartbeat } from './instances.ts';
import { createLiveGenerations, type LiveGenerations } from './live-generations.ts';

interface InstanceOptions {
  sql: Sql;
  /** On a connection of its own, so that heartbeats do not wait for requests. */
  heartbeatSql: Sql;
  log: Logger;
  newCtx: () => Ctx;
}

/** Registers this process as an instance that writes replies, and looks out for instances that have died. */
export async function startInstance({
  sql,
  heartbeatSql,
  log,
  newCtx,
}: InstanceOptions): Promise<{ generations: LiveGenerations; stop(): Promise<void> }> {
  const generations = createLiveGenerations(randomUUID(), sql, log);
  const heartbeat = await startHeartbeat({
    instanceId: generations.instanceId,
    sql: heartbeatSql,
    log,
    isLive: (id) => generations.find(id) !== undefined,
    onOrphans: () => enqueueTask(newCtx(), 'generation.recover', {}, { key: 'recurring' }),
  });
  return {
    generations,
    stop() {
      generations.close();
      return heartbeat.stop();
    },
  };
}
