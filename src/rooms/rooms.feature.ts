import type { Feature } from '../core/feature.ts';
import { removeAgentFromRooms } from './agents/remove-agent.ts';
import { invitationExpiry, turnDeltaExpiry, turnExpiry } from './room.expiry.ts';
import { hasExpiredPresence, removeExpiredPresence } from './presence/presence.ts';
import { roomExport } from './room.export.ts';
import { reportableRoom } from './room.moderation.ts';
import { purgeRooms } from './room.purge.ts';
import { Room } from './room.entity.ts';
import { roomEvents } from './room.events.ts';
import { removeRoom } from './remove-room.ts';
import { RoomAgent } from './agents/room-agent.entity.ts';
import { RoomEvent } from './events/room-event.entity.ts';
import { RoomInvitation } from './invitations/room-invitation.entity.ts';
import { RoomMember } from './members/room-member.entity.ts';
import { RoomMessage } from './messages/room-message.entity.ts';
import { reportableRoomMessage } from './messages/room-message.moderation.ts';
import { RoomPresence } from './presence/room-presence.entity.ts';
import { hasOrphanTurns, interruptOrphanTurns } from './turns/interrupt-turns.ts';
import { RoomTurnDelta } from './turns/room-turn-delta.entity.ts';
import { RoomTurn } from './turns/room-turn.entity.ts';
import { hasWaitingTurns, startWaitingTurns } from './turns/start-turn.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    room_: 'room';
    rms_: 'room message';
    trn_: 'room turn';
    rin_: 'room invitation';
  }
}

declare module '../core/actor.ts' {
  interface Scopes {
    'rooms:read': true;
    'rooms:write': true;
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    'room.remove': { roomId: string };
    'room.recover': object;
    'room.remove-expired-presence': object;
  }
}

declare module '../core/feature.ts' {
  interface PlanLimits {
    roomsOwned: number;
    peoplePerRoom: number;
    agentsPerRoom: number;
  }
}

export const rooms: Feature = {
  name: 'rooms',
  entities: [
    Room,
    RoomMember,
    RoomAgent,
    RoomInvitation,
    RoomMessage,
    RoomTurn,
    RoomTurnDelta,
    RoomEvent,
    RoomPresence,
  ],
  idPrefixes: { room: 'room_', roomMessage: 'rms_', roomTurn: 'trn_', roomInvitation: 'rin_' },
  scopes: ['rooms:read', 'rooms:write'],
  events: roomEvents,
  planLimits: {
    roomsOwned: { free: 3, plus: 15, pro: 50, creator: Infinity },
    peoplePerRoom: { free: 5, plus: 20, pro: 50, creator: 100 },
    agentsPerRoom: { free: 3, plus: 5, pro: 8, creator: 10 },
  },
  jobs: [
    {
      kind: 'room.remove',
      concurrency: 1,
      retryDelaysSeconds: [2, 10, 60],
      handle: (ctx, { roomId }, run) => removeRoom(ctx, roomId, run),
    },
    {
      // Ends the turns of dead processes, and starts waiting turns whose process died before it could start them.
      kind: 'room.recover',
      everyMs: 5_000,
      when: `(${hasOrphanTurns} or ${hasWaitingTurns})`,
      concurrency: 1,
      retryDelaysSeconds: [5],
      handle: async (ctx) => {
        const interrupted = await interruptOrphanTurns(ctx);
        if (interrupted > 0) ctx.log.warn({ interrupted }, 'ended the turns of dead instances');
        await startWaitingTurns(ctx);
      },
    },
    {
      kind: 'room.remove-expired-presence',
      everyMs: 60_000,
      when: hasExpiredPresence,
      concurrency: 1,
      handle: async (ctx, _payload, { signal }) => void (await removeExpiredPresence(ctx, signal)),
    },
  ],
  removeOfAgent: [removeAgentFromRooms],
  expiries: [turnExpiry, turnDeltaExpiry, invitationExpiry],
  reportable: [reportableRoom, reportableRoomMessage],
  purge: [purgeRooms],
  exportSections: roomExport,
};
