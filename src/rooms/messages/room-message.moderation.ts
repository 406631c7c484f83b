import { isId } from '../../core/ids.ts';
import type { ReportableKind } from '../../moderation/subjects.ts';
import { lockRoomOnly } from '../membership.ts';
import { messageColumns, messageJoins, type RoomMessageView } from './room-message.ts';
import { eraseRoomMessage } from './room-messages.ts';

const find = {
  name: 'room_message_to_report',
  text: `
    select m.user_id as "authorId" from room_messages m join rooms r on r.id = m.room_id
      join room_members rm on rm.room_id = r.id and rm.user_id = $2 and rm.state = 'joined'
    where m.id = $1 and m.deleted_at is null and r.deleted_at is null
      and (r.history = 'all' or m.position > rm.joined_position)`,
};
const around = 5;
// Messages are private: a moderator sees only one that was reported.
const show = {
  name: 'room_message_to_moderate',
  text: `
    select s."authorId", s."roomName", ${messageColumns('null')}
    from (
      select t.user_id as "authorId", r.name as "roomName", t.room_id, t.position from room_messages t join rooms r on r.id = t.room_id
      where t.id = $1 and r.deleted_at is null and exists (
        select from moderation_reports mr where mr.subject_type = 'room_message' and mr.subject_id = t.id)
    ) s join room_messages m on m.room_id = s.room_id and m.position between s.position - ${around} and s.position + ${around}
    ${messageJoins}
    order by abs(m.position - s.position), m.position limit ${around + 1}`,
};
const findRoom = { name: 'room_of_message', text: `select room_id as "roomId" from room_messages where id = $1` };

interface ShownMessage extends RoomMessageView {
  authorId: string | null;
  roomName: string;
}

const lineOf = ({ author, content }: RoomMessageView): string => `${author.name}: ${content}`;

/**
 * Makes messages of rooms reportable by their readers. A moderator sees the reported message with the five nearest to
 * it. `remove` erases it like a deletion; `hold` is a no-op.
 */
export const reportableRoomMessage: ReportableKind = {
  type: 'room_message',
  async find(ctx, id) {
    if (ctx.actor.kind !== 'user' || !isId('rms_', id)) return null;
    const [message] = await ctx.sql<{ authorId: string | null }>(find, [id, ctx.actor.userId]);
    return message ? { id, ...message } : null;
  },
  async show(ctx, id) {
    const shown = await ctx.sql<ShownMessage>(show, [id]);
    const [message] = shown;
    if (!message) return null;
    const context = shown.slice(1).toSorted((one, other) => one.position - other.position);
    return {
      authorId: message.authorId,
      title: `A message in ${message.roomName}`,
      text: [lineOf(message), ...(context.length > 0 ? ['', 'Around it:', ...context.map(lineOf)] : [])].join('\n'),
      imageUrl: null,
      state: message.deleted ? 'removed' : 'ok',
      marks: [],
    };
  },
  async change(tx, id, action) {
    if (action !== 'remove') return false;
    const [message] = await tx.sql<{ roomId: string }>(findRoom, [id]);
    if (!message) return false;
    await lockRoomOnly(tx, message.roomId);
    return eraseRoomMessage(tx, message.roomId, id);
  },
};
