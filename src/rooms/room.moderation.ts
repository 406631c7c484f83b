import { isId } from '../core/ids.ts';
import type { ReportableKind } from '../moderation/subjects.ts';
import { markDeleted } from './remove-room.ts';
import { lockRoomOnly } from './turns/interrupt-turns.ts';

const find = {
  name: 'room_to_report',
  text: `
    select r.owner_id as "authorId" from rooms r join room_members m on m.room_id = r.id and m.user_id = $2
    where r.id = $1 and r.deleted_at is null and m.state in ('invited', 'joined')`,
};
// A room is private: without a report, a moderator sees nothing of it.
const show = {
  name: 'room_to_moderate',
  text: `
    select r.owner_id as "authorId", r.name as title, concat_ws(E'\\n\\n', r.description, r.scene) as text from rooms r
    where r.id = $1 and r.deleted_at is null and exists (
      select from moderation_reports mr where mr.subject_type = 'room' and mr.subject_id = r.id)`,
};

/** Rooms as a kind of thing that their people can report. Removing one deletes it; a hold changes nothing: no list is public. */
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
