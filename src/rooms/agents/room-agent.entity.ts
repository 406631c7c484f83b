import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Agent } from '../../agents/agent.entity.ts';
import { Room } from '../room.entity.ts';

const RoomAgentSchema = defineEntity({
  name: 'RoomAgent',
  tableName: 'room_agents',
  properties: {
    roomId: p.manyToOne(Room).mapToPk().name('room_id').deleteRule('cascade').primary(),
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    addedBy: p.manyToOne(User).mapToPk().name('added_by').deleteRule('cascade'),
    muted: p.boolean().default(false),
    /** Orders the agents of a room. Removals leave gaps in the stored values, which are not shown to readers. */
    position: p.integer(),
    createdAt: p.datetime(3),
  },
});

/** An agent in a room. */
export class RoomAgent extends RoomAgentSchema.class {}
RoomAgentSchema.setClass(RoomAgent);
