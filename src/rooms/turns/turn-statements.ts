import { replyStatements } from '../../conversations/replies/reply-statements.ts';

export const turnStatements = replyStatements({
  name: 'room_turn',
  table: 'room_turns',
  deltas: 'room_turn_deltas',
  deltaKey: 'turn_id',
  thread: 'room_id',
  reply: 'message_id',
});
