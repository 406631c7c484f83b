import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { notFound } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { isOpenTo } from '../accounts/blocks/blocks.ts';
import { callerId } from '../accounts/caller.ts';
import { isOpenMembership } from './members/may-invite.ts';
import { Room } from './room.entity.ts';
import type { MemberState, RoomRole } from './room.input.ts';

export interface RoomAgentView {
  agentId: string;
  name: string;
  avatarUrl: string | null;
  muted: boolean;
  /** Displayed position, from 1 without gaps. */
  position: number;
  /**
   * False when the agent was deleted, removed by moderators or became private, or belongs to an account that is being
   * deleted or that blocks the reader.
   */
  available: boolean;
}

/** A room as its members see it. */
export interface RoomView extends Room {
  people: number;
  agents: RoomAgentView[];
  myRole: RoomRole;
  myState: MemberState;
  unreadCount: number;
}

/** SQL condition: people other than its owner may use the agent `a`. */
export const isOpen = `(a.is_public and a.moderation_state in ('ok', 'held'))`;

/** SQL condition: the owner of the agent `a`, who added it to a room by `ra`, is still there. */
const isWithOwner = `(a.owner_id = ra.added_by and exists (
  select from room_members om where om.room_id = ra.room_id and om.user_id = a.owner_id and om.state = 'joined'))`;

/**
 * SQL condition: the agent `a`, added to a room by `ra`, can still reply there. A private agent replies only while its
 * owner is in the room, also when it became private after they left. One that moderators removed cannot reply even to
 * its owner, because everyone in the room reads the reply.
 */
export const isAvailable = `(a.deleted_at is null and a.moderation_state <> 'removed' and (${isOpen} or ${isWithOwner})
  and not exists (select from users o where o.id = a.owner_id and o.deletion_requested_at is not null))`;

/**
 * Returns the SQL condition that the agent `a`, added to a room by `ra`, can still reply there to the account `user`,
 * which the agent's owner must not block.
 */
export const isAvailableTo = (user: string): string => `(${isAvailable} and ${isOpenTo('a.owner_id', user)})`;

/** Returns an SQL expression: the agents of the room `r` in order, as JSON for the account `reader`. */
export const agentsOfRoom = (reader: string): string => `(
  select coalesce(jsonb_agg(jsonb_build_object('agentId', ra.agent_id, 'name', a.name, 'avatarUrl',
    case when a.moderation_state <> 'removed' then a.avatar_url end, 'muted', ra.muted, 'position', ra.place,
    'available', ${isAvailableTo(reader)}) order by ra.place), '[]'::jsonb)
  from (
    select *, row_number() over (order by position, agent_id) as place from room_agents where room_id = r.id
  ) ra join agents a on a.id = ra.agent_id)`;

/** SQL expression: the number of people who joined the room `r`. */
export const peopleOfRoom = `(
  select count(*) from room_members pm where pm.room_id = r.id and pm.state = 'joined')`;

/** SQL expression: the position up to which the member `m` of the room `r` may not read. */
const hiddenUpTo = `case when r.history = 'from_join' then m.joined_position else 0 end`;

/** SQL expressions: the person to whom the room `r` is offered and the end of the offer; null once it has expired. */
export const openOffer = {
  offeredTo: 'case when r.offer_expires_at > now() then r.offered_to end',
  offerExpiresAt: 'case when r.offer_expires_at > now() then r.offer_expires_at end',
};

const scene = `case when m.state = 'joined' then r.scene end`;

export const roomColumns = `${columnsOf(Room, 'r', { computed: { scene, ...openOffer } })}, m.role as "myRole", m.state as "myState",
  case when m.state = 'joined' then greatest(r.last_position - greatest(m.last_read_position, ${hiddenUpTo}), 0) else 0
  end as "unreadCount", ${peopleOfRoom} as people, ${agentsOfRoom('m.user_id')} as agents`;

const find = {
  name: 'room_get',
  text: `
    select ${roomColumns} from rooms r join room_members m on m.room_id = r.id and m.user_id = $2
    where r.id = $1 and r.deleted_at is null and m.state in ('invited', 'joined') and ${isOpenMembership}`,
};

/**
 * Returns a room that the caller has joined or is invited to.
 * @throws AppError `not_found`
 */
export async function getRoom(ctx: Ctx, id: string): Promise<RoomView> {
  const [room] = isId('room_', id) ? await ctx.sql<RoomView>(find, [id, callerId(ctx)]) : [];
  if (!room) throw notFound();
  return room;
}

/** The fields of a room that are the same for all members. */
type RoomSettings = Omit<
  RoomView,
  'myRole' | 'myState' | 'unreadCount' | 'deletedAt' | 'eventSequence' | 'rotatedPosition'
>;

const findSettings = {
  name: 'room_settings',
  text: `
    select ${columnsOf(Room, 'r', { except: ['deletedAt', 'eventSequence', 'rotatedPosition'], computed: openOffer })},
      ${peopleOfRoom} as people, ${agentsOfRoom('null')} as agents
    from rooms r where r.id = $1`,
};

/** Returns the fields of a room that do not depend on the reader. Performs no authorization check. */
export const findRoomSettings = async (ctx: Ctx, id: string): Promise<RoomSettings | null> =>
  (await ctx.sql<RoomSettings>(findSettings, [id]))[0] ?? null;
