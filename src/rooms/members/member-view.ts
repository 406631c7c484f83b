import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../../core/pagination.ts';
import { getMembership } from '../membership.ts';
import { listMembersInput, type MemberState, type RoomRole } from '../room.input.ts';
import { moderates } from '../room.policy.ts';

/** A person in a room, as the other members see them. */
export interface MemberView {
  roomId: string;
  userId: string;
  /** Null while the account is being deleted; name and picture are hidden then. */
  username: string | null;
  displayName: string | null;
  avatarUrl: string | null;
  role: RoomRole;
  state: MemberState;
  mutedUntil: Date | null;
  joinedAt: Date | null;
  lastReadPosition: number;
  showsPresence: boolean;
  createdAt: Date;
}

const memberColumns = `m.room_id as "roomId", m.user_id as "userId", u.username, u.display_name as "displayName",
  u.avatar_url as "avatarUrl", m.role, m.state, m.muted_until as "mutedUntil", m.joined_at as "joinedAt",
  m.last_read_position as "lastReadPosition", m.shows_presence as "showsPresence", m.created_at as "createdAt"`;

const memberJoins = 'left join users u on u.id = m.user_id and u.deletion_requested_at is null';

const find = {
  name: 'room_member_get',
  text: `select ${memberColumns} from room_members m ${memberJoins} where m.room_id = $1 and m.user_id = $2`,
};

/**
 * Returns a membership in any state. Performs no authorization check.
 * @throws AppError `not_found`
 */
export async function getMember(ctx: Ctx, roomId: string, userId: string): Promise<MemberView> {
  const [member] = isId('usr_', userId) ? await ctx.sql<MemberView>(find, [roomId, userId]) : [];
  if (!member) throw notFound();
  return member;
}

const from = `room_members m ${memberJoins} where m.room_id = $1 and m.state = any ($2)`;
const listOldest = orderedList<MemberView>({
  name: 'room_members_list',
  columns: memberColumns,
  from,
  valueCount: 2,
  key: { column: 'm.created_at', kind: 'time', of: ({ createdAt }) => createdAt, ascends: true },
  id: { column: 'm.user_id', of: ({ userId }) => userId },
});
const countAll = { name: 'room_members_count', text: `select count(*) as total from ${from}` };

const present: readonly MemberState[] = ['invited', 'joined'];

/**
 * Lists the people of a room who joined or are invited, earliest first. Moderators also see banned people.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function listMembers(ctx: Ctx, roomId: string, input: unknown): Promise<Page<MemberView>> {
  const page = parseInput(listMembersInput, input);
  const { role } = await getMembership(ctx, roomId);
  const values = [roomId, moderates(role) ? [...present, 'banned'] : present];
  return withTotal(ctx, readSlice(ctx, listOldest, values, page), page, countAll, values);
}

/** Returns the caller's own membership. */
export const getOwnMember = (ctx: Ctx, roomId: string): Promise<MemberView> => getMember(ctx, roomId, callerId(ctx));

const findSome = {
  name: 'room_members_get',
  text: `select ${memberColumns} from room_members m ${memberJoins} where m.room_id = $1 and m.user_id = any ($2)`,
};

/** Returns the memberships of these people in any state. Performs no authorization check. */
export const findMembers = (ctx: Ctx, roomId: string, userIds: readonly string[]): Promise<MemberView[]> =>
  ctx.sql<MemberView>(findSome, [roomId, userIds]);
