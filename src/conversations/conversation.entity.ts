import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../accounts/user.entity.ts';
import { Agent } from '../agents/agent.entity.ts';
import type { ConversationSource } from '../studio/conversation-source.ts';

const ConversationSchema = defineEntity({
  name: 'Conversation',
  tableName: 'conversations',
  properties: {
    id: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade'),
    title: p.text().strictNullable(),
    /** Version of the agent that the owner of the conversation tries out; null for the version that other users get. */
    versionId: p.text().strictNullable(),
    source: p.text().$type<ConversationSource>().default('direct'),
    messageCount: p.integer().default(0),
    /** Position of the newest message. It only increases. */
    lastPosition: p.integer().default(0),
    eventSequence: p.integer().default(0),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    pinnedAt: p.datetime(3).strictNullable(),
    archivedAt: p.datetime(3).strictNullable(),
    /** Set while the conversation waits to be removed. It is hidden from then on. */
    deletedAt: p.datetime(3).strictNullable(),
    /** Size of the messages that were copied from a share, in bytes. */
    copiedBytes: p.integer().default(0),
    /** Share whose messages are still being copied; no message can be sent until they are. */
    copyingShareId: p.text().strictNullable(),
  },
});

/** A conversation of a user with an agent. */
export class Conversation extends ConversationSchema.class {}
ConversationSchema.setClass(Conversation);
