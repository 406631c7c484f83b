import type { LiveGenerations } from '../../conversations/replies/live-generations.ts';
import type { ReplyTable } from '../../conversations/replies/reply-table.ts';
import { findRoomMessage, type RoomMessageView } from '../messages/room-message.ts';
import { interruptTurnIfOrphaned } from './interrupt-turns.ts';
import { turnStatements } from './turn-statements.ts';

declare module '../../core/ctx.ts' {
  interface Ports {
    roomTurns: LiveGenerations<RoomMessageView>;
  }
}

/** Table of the replies in rooms, for the code that rooms and conversations share. */
export const turnTable: ReplyTable<RoomMessageView> = {
  ...turnStatements,
  live: ({ roomTurns }) => roomTurns,
  findMessage: (ctx, id) => findRoomMessage(ctx, id),
  interruptIfOrphaned: (ctx, roomId, { id }) => interruptTurnIfOrphaned(ctx, roomId, id),
  goneMessage: 'The room was deleted.',
  recovery: 'room.recover',
};
