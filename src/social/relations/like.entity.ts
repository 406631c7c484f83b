import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Agent } from '../../agents/agent.entity.ts';

const LikeSchema = defineEntity({
  name: 'Like',
  tableName: 'likes',
  properties: {
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade').primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').primary(),
    createdAt: p.datetime(3),
  },
});

/** A user's like of an agent. Only this user can see it; others see the number of likes. */
export class Like extends LikeSchema.class {}
LikeSchema.setClass(Like);
