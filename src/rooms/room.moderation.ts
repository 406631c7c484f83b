import { isId } from '../core/ids.ts';
import type { ReportableKind } from '../moderation/subjects.ts';
import { isOpenMembership } from './members/may-invite.ts';
import { markDeleted } from './remove-room.ts';
import { lockRoomOnly } from './membership.ts';

const find = {
  name: 'room_to_report',
  text: `
    select r.owner_id as "authorId" from rooms r join room_members m on m.room_id = r.id and m.user_id = $2
    where r.id = $1 and r.deleted_at is null and m.state in ('invited', 'joined') and ${isOpenMembership}`,
};
// Rooms are private: a moderator sees only a reported room.
const show = {
  name: 'room_to_moderate',
  text: `
    select r.owner_id as "authorId", r.name as title, concat_ws(E'\\n\\n', r.description, r.scene) as text from rooms r
    where r.id = $1 and r.deleted_at is null and exists (
      select from moderation_reports mr where mr.subject_type = 'room' and mr.subject_id = r.id)`,
};

/**
 * Makes rooms reportable by their members. `remove` deletes the room; `hold` is a no-op, because no list of rooms is
 * public.
 */
export const reportableRoom: ReportableKind = {
  type: 'room',
  async find(ctx, id) {
    if (ctx.actor.kind !== 'user' || !isId('room_', id)) return null;
    const [room] = await ctx.sql<{ authorId: string }>(find, [id, ctx.actor.userId]);
    return room ? { id, ...room } : null;
  },
  async show(ctx, id) {
    const [room] = await ctx.sql<{ authorId: string; title: string; text: string }>(show, [id]);
    return room ? { ...room, imageUrl: null, state: 'ok', marks: [] } : null;
  },
  async change(tx, id, action) {
    if (action !== 'remove') return false;
    await lockRoomOnly(tx, id);
    await markDeleted(tx, id);
    return true;
  },
};
