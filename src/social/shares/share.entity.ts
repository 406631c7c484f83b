import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Agent } from '../../agents/agent.entity.ts';
import { Conversation } from '../../conversations/conversation.entity.ts';
import type { MessageRole } from '../../conversations/messages/message.entity.ts';
import type { ShareType } from '../social.input.ts';

/** A message as it was when it was shared. */
export interface SharedMessage {
  role: MessageRole;
  content: string;
}

const ShareSchema = defineEntity({
  name: 'Share',
  tableName: 'shares',
  properties: {
    id: p.text().primary(),
    ownerId: p.manyToOne(User).mapToPk().name('owner_id').deleteRule('cascade'),
    type: p.text().$type<ShareType>(),
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade'),
    conversationId: p.manyToOne(Conversation).mapToPk().name('conversation_id').deleteRule('cascade').strictNullable(),
    tokenHash: p.blob().hidden(),
    /** The name that the agent had. */
    agentName: p.text(),
    title: p.text().strictNullable(),
    note: p.text().strictNullable(),
    anonymous: p.boolean(),
    inFeed: p.boolean(),
    indexable: p.boolean(),
    messageCount: p.integer(),
    /** Without the views that are not aggregated yet. */
    viewCount: p.integer().default(0),
    /** Null for an agent, and once it was revoked. */
    snapshot: p.json<SharedMessage[]>().strictNullable(),
    revokedAt: p.datetime(3).strictNullable(),
    /** Set by moderation: held ones are in no feed, removed ones do not open. */
    held: p.boolean().default(false),
    removedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** An agent or messages of a conversation that a user passes on by a link. */
export class Share extends ShareSchema.class {}
ShareSchema.setClass(Share);
