import type { Logger } from 'pino';
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

/** Shows the other instances that this one lives, until `stop`, by the database's clock. */
export async function startHeartbeat(instanceId: string, sql: Sql, log: Logger): Promise<{ stop(): Promise<void> }> {
  await sql(beat, [instanceId]);
  const timer = setInterval(() => {
    sql(beat, [instanceId]).catch((error: unknown) =>
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
