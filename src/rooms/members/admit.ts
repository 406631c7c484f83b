import type { Ctx } from '../../core/ctx.ts';
import type { Plan } from '../../core/actor.ts';
import { AppError } from '../../core/errors.ts';
import { publish } from '../../core/outbox.ts';
import { logRoomEvent } from '../events/room-log.ts';
import type { RoomRole } from '../room.input.ts';

const capacity = {
  name: 'room_capacity',
  text: `
    select (select plan from users where id = $2) as plan,
      (select count(*) from room_members where room_id = $1 and state = 'joined') as people,
      (select count(*) from room_members where user_id = $3 and state = 'joined') as rooms`,
};
const join = {
  name: 'room_member_join',
  text: `
    insert into room_members as m (room_id, user_id, role, state, joined_position, joined_sequence, joined_turn,
      last_read_position, joined_at, created_at)
    select $1, $2, $3, 'joined', $4, $5, coalesce(max(number), 0), $4, $6, $6 from room_turns where room_id = $1
    on conflict (room_id, user_id) do update set role = $3, state = 'joined', joined_position = $4, joined_sequence = $5,
      joined_turn = excluded.joined_turn, last_read_position = $4, joined_at = $6, muted_until = m.muted_until,
      invited_by = null`,
};

/** Maximum number of rooms per person, including owned ones. */
const maxMemberships = 500;

interface Admission {
  room: { id: string; ownerId: string };
  userId: string;
  username: string;
  role: RoomRole;
}

/**
 * Makes a person a member of a room and publishes `room.member_joined`. Membership starts at the current position in the
 * log. The transaction must hold the room's lock.
 * @throws AppError `plan_limit_exceeded` by the plan of the room's owner, `conflict`
 */
export async function admit(tx: Ctx, { room, userId, username, role }: Admission): Promise<void> {
  await requireCapacity(tx, room, userId);
  const joinedAt = await logRoomEvent(tx, room.id, { type: 'member.joined', userId });
  await tx.sql(join, [room.id, userId, role, joinedAt.position, joinedAt.sequence, tx.clock.now()]);
  const data = { roomId: room.id, userId, username, role, state: 'joined', sequence: joinedAt.sequence };
  await publish(tx, room.ownerId, 'room.member_joined', data);
}

async function requireCapacity(tx: Ctx, { id, ownerId }: Admission['room'], userId: string): Promise<void> {
  const [counted] = await tx.sql<{ plan: Plan; people: number; rooms: number }>(capacity, [id, ownerId, userId]);
  if (!counted) return;
  const limit = tx.catalog.planLimits.peoplePerRoom[counted.plan];
  if (counted.people >= limit) {
    const message = `This room is full: the plan of its owner allows ${limit} people.`;
    throw new AppError('plan_limit_exceeded', { message });
  }
  if (counted.rooms < maxMemberships) return;
  throw new AppError('conflict', { message: `You are already in ${maxMemberships} rooms. Leave one first.` });
}
