import { defineEntity, p } from '@mikro-orm/postgresql';

const ConversationSchema = defineEntity({
  name: 'Conversation',
  tableName: 'conversations',
  properties: {
    id: p.string().primary(),
    userId: p.string(),
    agentId: p.string(),
    title: p.string().nullable(),
    messageCount: p.integer(),
    /** Position of the newest message; positions only grow. */
    lastPosition: p.integer(),
    eventSequence: p.integer(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

export class Conversation extends ConversationSchema.class {}
ConversationSchema.setClass(Conversation);
