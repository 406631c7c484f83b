import { callerId } from '../../accounts/caller.ts';
import { requireStorage } from '../../billing/storage/stored-bytes.ts';
import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError, invalidField, notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { requireUnrestricted } from '../../moderation/restrictions.ts';
import { hiddenPosition, type Membership, readLocked } from '../membership.ts';
import type { MemberState, RoomPayer } from '../room.input.ts';
import { postMessageInput } from '../room.input.ts';
import { agentsOfRoom, peopleOfRoom, type RoomAgentView } from '../room-view.ts';
import { acceptTurn, type Payer } from '../turns/accept-turn.ts';
import { chooseSpeakers } from '../turns/choose-speakers.ts';
import { startTurnsWhenCommitted } from '../turns/start-turn.ts';
import { findTurns, type TurnView } from '../turns/turn-view.ts';
import { appendRoomMessage } from './append-room-message.ts';
import { chooseByModelWhenCommitted } from '../turns/choose-by-model.ts';
import { findMentions, mayMention, type Mention } from './mentions.ts';
import type { RoomMessageView } from './room-message.ts';

/** A locked room with the data that posting a message needs. */
interface PostingRoom extends Membership {
  name: string;
  people: number;
  agents: RoomAgentView[];
  username: string;
  displayName: string | null;
  avatarUrl: string | null;
  ownPlan: Plan;
  ownerPlan: Plan;
  isOwnerLeaving: boolean;
}

const find = {
  name: 'room_for_posting',
  text: `
    select r.id, r.owner_id as "ownerId", r.reply_mode as "replyMode", r.replies_per_message as "repliesPerMessage", r.payer,
      r.history, (
        select count(*) from room_agents o where o.room_id = r.id and o.position <= r.rotated_position
      ) as "rotatedPosition", m.state, m.joined_position as "joinedPosition",
      m.muted_until as "mutedUntil", ${peopleOfRoom} as people, ${agentsOfRoom('$2')} as agents, u.username,
      u.display_name as "displayName", u.avatar_url as "avatarUrl", u.plan as "ownPlan", o.plan as "ownerPlan",
      o.deletion_requested_at is not null as "isOwnerLeaving"
    from rooms r join room_members m on m.room_id = r.id and m.user_id = $2 join users u on u.id = m.user_id
      join users o on o.id = r.owner_id
    where r.id = $1 and r.deleted_at is null`,
};

/**
 * Locks a room that the caller has joined and reads what determines the replies and their payer.
 * @throws AppError `not_found`
 */
export async function lockForPosting(tx: Ctx, roomId: string): Promise<PostingRoom> {
  const [room] = isId('room_', roomId) ? await readLocked<PostingRoom>(tx, find, [roomId, callerId(tx)]) : [];
  const joined: MemberState = 'joined';
  if (room?.state !== joined) throw notFound();
  return room;
}

interface PaidBy extends Pick<PostingRoom, 'ownerId' | 'ownPlan' | 'ownerPlan' | 'isOwnerLeaving'> {
  payer: RoomPayer;
}

/** Returns the account that pays for the replies that the caller causes. */
export const payerOf = (tx: Ctx, { payer, ownerId, ownPlan, ownerPlan, isOwnerLeaving }: PaidBy): Payer =>
  payer === 'owner'
    ? { userId: ownerId, plan: ownerPlan, isLeaving: isOwnerLeaving }
    : { userId: callerId(tx), plan: ownPlan, isLeaving: false };

export interface PostedMessage {
  message: RoomMessageView;
  /** The turns that the message causes, in order. Turns that a model chooses under `auto` are added later. */
  turns: TurnView[];
}

/**
 * Posts a message and enqueues the replies that it causes. Each reply is charged immediately; one that cannot be paid
 * for is refused, and the message is posted anyway.
 * @throws AppError `invalid_request`, `not_found`, `forbidden` for someone who is muted or restricted,
 * `plan_limit_exceeded` when the caller stores too much
 */
export async function postRoomMessage(ctx: Ctx, roomId: string, input: unknown): Promise<PostedMessage> {
  const { content, replyTo = null } = parseInput(postMessageInput, input);
  return inTransaction(ctx, async (tx) => {
    // All statements are sent together to save a round trip.
    const [room] = await Promise.all([
      lockForPosting(tx, roomId),
      requireUnrestricted(tx),
      requireStorage(tx, Buffer.byteLength(content)),
    ]);
    requireVoice(tx, room);
    const referred = replyTo === null ? null : await findReferred(tx, room, replyTo);
    const mentions = await mentionsIn(tx, room, content, referred);
    const author = { id: callerId(tx), name: room.displayName ?? room.username, avatarUrl: room.avatarUrl };
    const message = await appendRoomMessage(tx, {
      roomId,
      ownerId: room.ownerId,
      author: { kind: 'user', ...author },
      content,
      mentions,
      replyTo: referred,
    });
    if (!message) throw notFound();
    return { message, turns: await causeTurns(tx, room, message) };
  });
}

/**
 * Requires that the caller is not muted.
 * @throws AppError `forbidden`
 */
export function requireVoice(tx: Ctx, { mutedUntil }: PostingRoom): void {
  if (mutedUntil === null || mutedUntil <= tx.clock.now()) return;
  throw new AppError('forbidden', { message: `You cannot write here until ${mutedUntil.toISOString()}.` });
}

const findReferredStatement = {
  name: 'room_message_referred',
  text: `
    select id, position, agent_id as "agentId" from room_messages
    where id = $1 and room_id = $2 and position > $3 and deleted_at is null`,
};

interface Referred {
  id: string;
  position: number;
  agentId: string | null;
}

async function findReferred(tx: Ctx, room: PostingRoom, id: string): Promise<Referred> {
  const values = [id, room.id, hiddenPosition(room)];
  const [found] = isId('rms_', id) ? await tx.sql<Referred>(findReferredStatement, values) : [];
  if (found) return found;
  throw invalidField('replyTo', 'unknown_message', 'replyTo must be the id of a message of this room');
}

const listPeople = {
  name: 'room_people_names',
  text: `
    select u.id, u.username as name from room_members m join users u on u.id = m.user_id
    where m.room_id = $1 and m.state = 'joined' and u.deletion_requested_at is null`,
};

/** Returns the addressees that a message names, followed by the author of the message that it refers to. */
async function mentionsIn(tx: Ctx, room: PostingRoom, content: string, referred: Referred | null): Promise<Mention[]> {
  const people = mayMention(content) ? await tx.sql<{ id: string; name: string }>(listPeople, [room.id]) : [];
  const named = findMentions(content, [
    ...room.agents.map(({ agentId: id, name }) => ({ kind: 'agent' as const, id, name })),
    ...people.map((person) => ({ kind: 'user' as const, ...person })),
  ]);
  const agentId = referred?.agentId;
  if (!agentId || named.some(({ id }) => id === agentId)) return named;
  return [...named, { kind: 'agent', id: agentId }];
}

const setRotated = {
  name: 'room_set_rotated',
  text: `
    update rooms set rotated_position = (select position from room_agents where room_id = $1 and agent_id = $2)
    where id = $1`,
};

async function causeTurns(tx: Ctx, room: PostingRoom, message: RoomMessageView): Promise<TurnView[]> {
  const addressed = message.mentions.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
  const agents = room.agents.filter(({ available }) => available);
  const speakers = chooseSpeakers({ ...room, agents, addressed });
  const payer = payerOf(tx, room);
  const ids: string[] = [];
  for (const agentId of speakers) {
    const turn = { roomId: room.id, agentId, userId: callerId(tx), payer, rootId: message.id, hop: 0 };
    const id = await acceptTurn(tx, turn);
    if (id) ids.push(id);
  }
  const [next] = speakers;
  if (room.replyMode === 'rotate' && addressed.length === 0 && next !== undefined)
    await tx.sql(setRotated, [room.id, next]);
  if (room.replyMode === 'auto') chooseByModelWhenCommitted(tx, { room, message, userId: callerId(tx), speakers });
  if (ids.length === 0) return [];
  startTurnsWhenCommitted(tx, room.id);
  return findTurns(tx, ids);
}
