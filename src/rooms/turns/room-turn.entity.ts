import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Agent } from '../../agents/agent.entity.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { Room } from '../room.entity.ts';
import type { TurnState } from './turn-states.ts';

const RoomTurnSchema = defineEntity({
  name: 'RoomTurn',
  tableName: 'room_turns',
  properties: {
    id: p.text().primary(),
    roomId: p.manyToOne(Room).mapToPk().name('room_id').deleteRule('cascade'),
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade'),
    /** Who caused it: the author of the message at the root, or who asked for it. */
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    payerId: p.manyToOne(User).mapToPk().name('payer_id').deleteRule('cascade'),
    /** The person's message that it goes back to; the turn's own id when it was asked for. */
    rootId: p.text(),
    /** In the room, in the order in which they were accepted. */
    number: p.integer(),
    hop: p.integer(),
    state: p.text().$type<TurnState>(),
    /** The id of the reply, reserved from the start. */
    messageId: p.text(),
    /** The instance that writes it; its heartbeat is the lease. */
    instanceId: p.text().default(''),
    stopRequested: p.boolean().default(false),
    /** UTC day that was charged; null when nothing was, or it was returned. */
    quotaDay: p.date().strictNullable(),
    versionId: p.text().strictNullable(),
    /** The place in the log at which it began to run. */
    startedPosition: p.integer().strictNullable(),
    startedSequence: p.integer().strictNullable(),
    errorCode: p.text().$type<ErrorCode>().strictNullable(),
    errorMessage: p.text().strictNullable(),
    partialText: p.text().strictNullable(),
    inputTokens: p.integer().strictNullable(),
    outputTokens: p.integer().strictNullable(),
    firstWordsMs: p.integer().strictNullable(),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    finishedAt: p.datetime(3).strictNullable(),
  },
});

/** One reply of an agent in a room. */
export class RoomTurn extends RoomTurnSchema.class {}
RoomTurnSchema.setClass(RoomTurn);
