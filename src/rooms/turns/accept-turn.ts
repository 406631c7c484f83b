import { reserveMessage, utcDay } from '../../conversations/messages/quota.ts';
import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { sendRoomEvent } from '../events/room-log.ts';

/** The account that pays for a turn. */
export interface Payer {
  userId: string;
  plan: Plan;
  /** Whether the account is being deleted. */
  isLeaving: boolean;
}

interface NewTurn {
  roomId: string;
  agentId: string;
  /** The person who caused the turn. */
  userId: string;
  payer: Payer;
  /** Message at the root of the chain; defaults to the turn's own id. */
  rootId?: string;
  hop: number;
}

/** Maximum number of turns that wait while another one runs. */
const maxQueued = 20;

// All turns of a root count, including those that agents cause, so that a chain of agents that address each other ends.
// The caller holds the room's lock. A turn over the limits is dropped, which is stored once per root.
const insert = {
  name: 'room_turn_insert',
  text: `
    with bounds as (
      select r.replies_per_message as most,
        (select count(*) from room_turns where room_id = $2 and root_id = $6 and state <> 'dropped') as turns,
        (select count(*) from room_turns where room_id = $2 and state = 'queued') as queued,
        exists (select from room_turns where room_id = $2 and root_id = $6 and state = 'dropped') as noted,
        (select coalesce(max(number), 0) + 1 from room_turns where room_id = $2) as number
      from rooms r where r.id = $2 and r.deleted_at is null
    ), decided as (select *, turns >= most or queued >= ${maxQueued} as over from bounds)
    insert into room_turns (id, room_id, agent_id, user_id, payer_id, root_id, hop, message_id, number, state, error_code,
      error_message, created_at, finished_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, number, case when over then 'dropped' else 'queued' end,
      case when over then 'rate_limited' end, case when over then $10 end, $9::timestamptz, case when over then $9::timestamptz end
    from decided where not (over and noted)
    returning state`,
};
const setCharged = {
  name: 'room_turn_charged',
  text: `update room_turns set quota_day = $2 where id = $1`,
};
const refuse = {
  name: 'room_turn_refuse',
  text: `
    update room_turns set state = 'refused', error_code = $2, error_message = $3, finished_at = $4 where id = $1`,
};

const dropped = 'The limit on replies to one message, or on waiting turns in the room, was reached.';

/**
 * Enqueues a reply of an agent and charges it. The turn is refused when its payer's daily quota is used up, and dropped
 * over the limits of its root or of the queue. Returns its id; null when an earlier turn of the same root was already
 * dropped. The transaction must hold the room's lock.
 */
export async function acceptTurn(tx: Ctx, turn: NewTurn): Promise<string | null> {
  const id = newId('trn_');
  const { roomId, agentId, userId, payer, rootId = id, hop } = turn;
  const now = tx.clock.now();
  const messageId = newId('rms_');
  const values = [id, roomId, agentId, userId, payer.userId, rootId, hop, messageId, now, dropped];
  const [accepted] = await tx.sql<{ state: 'queued' | 'dropped' }>(insert, values);
  if (!accepted) return null;
  if (accepted.state === 'dropped') await sendRoomEvent(tx, roomId, { type: 'turn.failed', turnId: id });
  else await charge(tx, id, turn, now);
  return id;
}

const ownerUsedUp =
  'The owner of the room, who pays for replies, has used up the messages of today. The limit resets at midnight UTC.';

async function charge(tx: Ctx, id: string, { roomId, userId, payer }: NewTurn, now: Date): Promise<void> {
  try {
    if (payer.isLeaving)
      throw new AppError('forbidden', { message: 'The owner of the room, who pays for replies, no longer exists.' });
    await reserveMessage(tx, payer.userId, payer.plan, now);
    await tx.sql(setCharged, [id, utcDay(now)]);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The original text states the plan of the payer, which concerns no one else.
    const isOfOther = error.code === 'rate_limited' && payer.userId !== userId;
    await tx.sql(refuse, [id, error.code, isOfOther ? ownerUsedUp : error.message, now]);
    await sendRoomEvent(tx, roomId, { type: 'turn.failed', turnId: id, onlyUserId: userId });
  }
}
