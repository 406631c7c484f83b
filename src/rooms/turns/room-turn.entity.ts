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
    /** The person who caused the turn: the author of the root message, or the person who requested the turn. */
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    payerId: p.manyToOne(User).mapToPk().name('payer_id').deleteRule('cascade'),
    /** The person's message at the root of the chain; the turn's own id when it was requested. */
    rootId: p.text(),
    /** Number of the turn in the room, in the order of acceptance. */
    number: p.integer(),
    hop: p.integer(),
    state: p.text().$type<TurnState>(),
    /** Id of the reply, reserved from the start. */
    messageId: p.text(),
    /** The instance that generates the reply. Its heartbeat is the lease. */
    instanceId: p.text().default(''),
    stopRequested: p.boolean().default(false),
    /** UTC day whose quota was charged; null when nothing was charged or the charge was refunded. */
    quotaDay: p.date().strictNullable(),
    versionId: p.text().strictNullable(),
    /** Position in the log at which the turn started to run. */
    startedPosition: p.integer().strictNullable(),
    startedSequence: p.integer().strictNullable(),
    errorCode: p.text().$type<ErrorCode>().strictNullable(),
    errorMessage: p.text().strictNullable(),
    partialText: p.text().strictNullable(),
    /** Time before which the provider refuses further calls. */
    retryAt: p.datetime(3).strictNullable(),
    inputTokens: p.integer().strictNullable(),
    outputTokens: p.integer().strictNullable(),
    firstWordsMs: p.integer().strictNullable(),
    createdAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    finishedAt: p.datetime(3).strictNullable(),
  },
});

/** A reply of an agent in a room, from acceptance to its end. */
export class RoomTurn extends RoomTurnSchema.class {}
RoomTurnSchema.setClass(RoomTurn);
