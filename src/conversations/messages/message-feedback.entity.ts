import { defineEntity, p } from '@mikro-orm/postgresql';
import { Agent } from '../../agents/agent.entity.ts';
import { User } from '../../accounts/user.entity.ts';
import { Message } from './message.entity.ts';

export type Rating = 'up' | 'down';

const MessageFeedbackSchema = defineEntity({
  name: 'MessageFeedback',
  tableName: 'message_feedback',
  properties: {
    messageId: p.manyToOne(Message).mapToPk().name('message_id').deleteRule('cascade').primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    rating: p.text().$type<Rating>(),
    comment: p.text().strictNullable(),
    createdAt: p.datetime(3),
    /** Time from which the owner of the agent may read the rating and its exchange; null while it is not shared. */
    sharedAt: p.datetime(3).strictNullable(),
    sharedAgentId: p.manyToOne(Agent).mapToPk().name('shared_agent_id').deleteRule('cascade').strictNullable(),
  },
});

/** A user's rating of a reply. */
export class MessageFeedback extends MessageFeedbackSchema.class {}
MessageFeedbackSchema.setClass(MessageFeedback);
