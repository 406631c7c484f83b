import { type ChargeTable, returnCharges } from '../../conversations/messages/refunds.ts';
import { noteEndedTurns } from '../../studio/analytics/notes.ts';
import type { TokenUsage } from '../../conversations/replies/generation-events.ts';
import type { Ctx } from '../../core/ctx.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { sendRoomEvent } from '../events/room-log.ts';
import { appendRoomMessage, type NewRoomMessage } from '../messages/append-room-message.ts';
import type { TurnState } from './turn-states.ts';

export const roomCharges: ChargeTable = {
  keepCharged: {
    name: 'room_turns_keep_charged',
    text: `
      update room_turns t set quota_day = c.day from unnest($1::text[], $2::date[], $3::text[]) as c (id, day, user_id)
      where t.id = c.id`,
  },
};

const endWithReplyStatement = {
  name: 'room_turn_complete',
  text: `
    with ended as (
      update room_turns t set state = $2, input_tokens = $3, output_tokens = $4, finished_at = clock_timestamp(),
        quota_day = case when $6 then t.quota_day end, first_words_ms = $7
      from (select id, quota_day from room_turns where id = $1) old
      where t.id = old.id and t.state = 'running' and t.instance_id = $5
      returning t.id, t.payer_id as "userId", to_char(old.quota_day, 'YYYY-MM-DD') as "quotaDay"
    ), noted as (${noteEndedTurns('ended', 'id', '$8')})
    select "userId", "quotaDay" from ended`,
};

interface Charged {
  /** The account that was charged. */
  userId: string;
  quotaDay: string | null;
}

/**
 * Moves a turn from `running` to `complete` or `stopped`. Returns undefined when this instance no longer holds the
 * turn.
 */
export async function endTurnWithReply(
  tx: Ctx,
  id: string,
  end: { state: 'complete' | 'stopped'; usage: TokenUsage | null; isCharged: boolean; firstWordsMs: number | null },
): Promise<Charged | undefined> {
  const { inputTokens = null, outputTokens = null } = end.usage ?? {};
  const { instanceId } = tx.ports.roomTurns;
  const { state, isCharged, firstWordsMs } = end;
  const values = [id, state, inputTokens, outputTokens, instanceId, isCharged, firstWordsMs, tx.clock.now()];
  return (await tx.sql<Charged>(endWithReplyStatement, values))[0];
}

// A turn that never ran is not counted as an attempt of its agent.
const endWithoutReply = {
  name: 'room_turns_end',
  text: `
    with ended as (
      update room_turns t set state = $3, error_code = $4, error_message = $5, finished_at = clock_timestamp(), quota_day = null,
        partial_text = $6, retry_at = clock_timestamp() + make_interval(secs => $8)
      from (
        select id, quota_day, state from room_turns where id = any ($1) and state = any ($2) order by id for no key update
      ) old
      where t.id = old.id
      returning t.id, t.room_id as "roomId", t.user_id as "authorId", t.payer_id as "userId",
        to_char(old.quota_day, 'YYYY-MM-DD') as "quotaDay", old.state = 'running' as "hasRun"
    ), noted as (${noteEndedTurns('ended where "hasRun"', 'id', '$7')})
    select id, "roomId", "authorId", "userId", "quotaDay" from ended`,
};
const keepPartialText = {
  name: 'room_turn_partial_text',
  text: `
    with d as (
      delete from room_turn_deltas where turn_id = any ($1) returning turn_id, position, content
    ), written as (select turn_id, string_agg(content, '' order by position) as content from d group by turn_id)
    update room_turns t set partial_text = w.content from written w where t.id = w.turn_id and t.partial_text is null`,
};

interface EndWithoutReply {
  from: readonly TurnState[];
  state: 'failed' | 'stopped' | 'refused';
  error: { code: ErrorCode; message: string; retryAfterSeconds?: number | undefined } | null;
  partialText?: string;
  /** Whether the service itself interrupted the turns. Their charges are then refunded without a limit. */
  isInterruption?: boolean;
}

const findBroken = {
  name: 'room_turns_broken',
  text: `
    select t.id as "turnId", t.room_id as "roomId", t.message_id as id, t.partial_text as content, r.owner_id as "ownerId",
      jsonb_build_object('kind', 'agent', 'id', a.id, 'name', a.name, 'avatarUrl', a.avatar_url) as author
    from room_turns t join rooms r on r.id = t.room_id join agents a on a.id = t.agent_id
    where t.id = any ($1) and t.partial_text ~ '\\S' and r.deleted_at is null order by t.id`,
};

/** Stores what the members were shown of failed replies as messages that are marked as broken. */
async function keepBrokenReplies(tx: Ctx, turns: readonly { id: string }[]): Promise<void> {
  const ids = turns.map(({ id }) => id);
  const broken = await tx.sql<Omit<NewRoomMessage, 'mentions'>>(findBroken, [ids]);
  for (const message of broken) await appendRoomMessage(tx, { ...message, mentions: [], broken: true });
}

/** Outcome of turns that wait for an agent that has left or is not available to the person any more. */
export const refusedWithoutAgent = {
  from: ['queued'],
  state: 'refused',
  error: { code: 'not_found', message: 'This agent is no longer available in the room.' },
} as const;

/**
 * Ends turns that are in one of the states `from` without a reply, refunds their charges, keeps what was shown of those
 * that failed, and notifies the readers.
 * Returns the ids of the turns that it ended. Call it inside a transaction that holds the locks of their rooms.
 */
export async function endTurns(tx: Ctx, ids: readonly string[], end: EndWithoutReply): Promise<string[]> {
  const { from, state, error, partialText = null, isInterruption = false } = end;
  const { code = null, message = null, retryAfterSeconds = null } = error ?? {};
  const values = [ids, from, state, code, message, partialText, tx.clock.now(), retryAfterSeconds];
  const ended = await tx.sql<Charged & { id: string; roomId: string; authorId: string }>(endWithoutReply, values);
  if (ended.length === 0) return [];
  await tx.sql(keepPartialText, [ended.map(({ id }) => id)]);
  if (state === 'failed') await keepBrokenReplies(tx, ended);
  const cause = state === 'stopped' ? 'stopped' : 'failed';
  await returnCharges(tx, ended, isInterruption ? 'interrupted' : cause, roomCharges);
  const type = state === 'stopped' ? 'turn.done' : 'turn.failed';
  for (const { id, roomId, authorId } of ended)
    await sendRoomEvent(tx, roomId, { type, turnId: id, ...(state === 'refused' && { onlyUserId: authorId }) });
  return ended.map(({ id }) => id);
}

const dropDeltas = { name: 'room_turn_deltas_drop', text: `delete from room_turn_deltas where turn_id = $1` };

/** Removes the checkpoints of a turn that has ended with a reply. Call it in the same transaction. */
export const dropTurnCheckpoints = async (tx: Ctx, id: string): Promise<void> => void (await tx.sql(dropDeltas, [id]));
