import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { generationTable } from '../conversations/generations/generation-table.ts';
import { createLiveGenerations } from '../conversations/replies/live-generations.ts';
import { repliesOf, startInstance } from '../conversations/instances/start-instance.ts';
import type { Message } from '../conversations/messages/message.entity.ts';
import type { RoomMessageView } from '../rooms/messages/room-message.ts';
import { turnTable } from '../rooms/turns/turn-table.ts';
import type { Ctx, Ports } from '../core/ctx.ts';
import type { DatabaseClock } from '../core/database/database-clock.ts';
import type { Sql } from '../core/database/sql.ts';

interface ReplyParts {
  sql: Sql;
  /** Uses a separate connection, so that heartbeats do not wait for requests. */
  heartbeatSql: Sql;
  /** Synchronized with the database at each heartbeat. */
  clock: DatabaseClock | null;
  log: Logger;
  newCtx: () => Ctx;
}

export interface Replies {
  instanceId: string;
  ports: Pick<Ports, 'generations' | 'roomTurns'>;
  /** Returns whether other instances were alive at the last heartbeat. */
  hasOthers(): boolean;
  /** Waits until no reply is being written. Those that remain after `limitMs` end as failed. */
  drain(limitMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Registers this process as an instance, with the replies that it writes in each table. */
export async function startReplies({ sql, heartbeatSql, clock, log, newCtx }: ReplyParts): Promise<Replies> {
  const instanceId = randomUUID();
  const generations = createLiveGenerations<Message>(instanceId, sql, log, generationTable);
  const roomTurns = createLiveGenerations<RoomMessageView>(instanceId, sql, log, turnTable);
  const replies = [repliesOf(generationTable, generations), repliesOf(turnTable, roomTurns)];
  const instance = await startInstance({ instanceId, replies, heartbeatSql, clock, log, newCtx });
  return {
    instanceId,
    ports: { generations, roomTurns },
    drain: async (limitMs) => void (await Promise.all([generations.drain(limitMs), roomTurns.drain(limitMs)])),
    hasOthers: () => instance.hasOthers(),
    stop: () => instance.stop(),
  };
}
