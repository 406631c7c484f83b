import { lockLiveVersion } from '../../agents/live-version.ts';
import type { Ctx } from '../../core/ctx.ts';
import { onCommitted, inTransaction } from '../../core/database/transaction.ts';
import { wakeRoom } from '../events/room-log.ts';
import { isAvailableTo } from '../room-view.ts';
import { endTurns, refusedWithoutAgent } from './end-turn.ts';
import { lockRoomOnly } from '../membership.ts';
import { runTurn } from './run-turn.ts';
import type { TurnJob } from './turn-job.ts';

interface NextTurn extends TurnJob {
  liveVersionId: string | null;
  isAvailable: boolean;
}

const findNext = {
  name: 'room_turn_next',
  text: `
    select t.id, t.room_id as "roomId", t.agent_id as "agentId", t.user_id as "userId", t.payer_id as "payerId",
      t.root_id as "rootId", t.message_id as "messageId", t.hop, a.name as "agentName", a.avatar_url as "agentAvatarUrl",
      a.live_version_id as "liveVersionId", (ra.agent_id is not null and ${isAvailableTo('t.user_id')}) as "isAvailable"
    from room_turns t join agents a on a.id = t.agent_id
    left join room_agents ra on ra.room_id = t.room_id and ra.agent_id = t.agent_id
    where t.room_id = $1 and t.state = 'queued' and not exists (
      select from room_turns b where b.room_id = $1 and b.state = 'running')
    order by t.number limit 1`,
};
const setRunning = {
  name: 'room_turn_run',
  text: `
    update room_turns t set state = 'running', instance_id = $2, version_id = $3, started_position = r.last_position,
      started_sequence = r.event_sequence, started_at = clock_timestamp()
    from rooms r where r.id = t.room_id and t.id = $1`,
};

/**
 * Starts the next turn of a room unless one is running. Any instance may call it at any time: the room's lock and a
 * unique index allow only one running turn.
 */
const startNextTurn = (ctx: Ctx, roomId: string): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    await lockRoomOnly(tx, roomId);
    for (;;) {
      const [next] = await tx.sql<NextTurn>(findNext, [roomId]);
      if (!next) return;
      if (next.isAvailable) return run(tx, next);
      await endTurns(tx, [next.id], refusedWithoutAgent);
    }
  });

async function run(tx: Ctx, { liveVersionId, isAvailable: _, ...job }: NextTurn): Promise<void> {
  const versionId = liveVersionId ?? (await lockLiveVersion(tx, job.agentId));
  await tx.sql(setRunning, [job.id, tx.ports.roomTurns.instanceId, versionId]);
  onCommitted(tx, () => runTurn(tx.ports.background(), job, startTurnsWhenCommitted));
  wakeRoom(tx, job.roomId);
}

/**
 * Calls `startNextTurn` in the background once the transaction commits. If that fails, the recurring job starts the
 * turn.
 */
export const startTurnsWhenCommitted = (tx: Ctx, roomId: string): void =>
  onCommitted(tx, () => {
    const ctx = tx.ports.background();
    startNextTurn(ctx, roomId).catch((error: unknown) =>
      ctx.log.warn({ err: error, roomId }, 'could not start the next turn of a room, will retry'),
    );
  });

const waitingTurns = `
  room_turns t where t.state = 'queued' and not exists (
    select from room_turns b where b.room_id = t.room_id and b.state = 'running')`;
const findWaiting = {
  name: 'rooms_waiting',
  text: `select distinct t.room_id as "roomId" from ${waitingTurns} limit 500`,
};

/** SQL condition: turns are waiting in a room without a running turn. */
export const hasWaitingTurns = `exists (select from ${waitingTurns})`;

/** Starts the waiting turns of rooms whose instance died between accepting a turn and running it. */
export async function startWaitingTurns(ctx: Ctx): Promise<void> {
  for (const { roomId } of await ctx.sql<{ roomId: string }>(findWaiting)) await startNextTurn(ctx, roomId);
}
