import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';
import { Agent } from '../../agents/agent.entity.ts';
import { Conversation } from '../../conversations/conversation.entity.ts';
import type { MessageRole } from '../../conversations/messages/message.entity.ts';
import type { ShareType } from '../social.input.ts';

/** A copy of a message, taken when it was shared. */
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
    /** Name of the agent at the time of sharing. */
    agentName: p.text(),
    title: p.text().strictNullable(),
    note: p.text().strictNullable(),
    anonymous: p.boolean(),
    inFeed: p.boolean(),
    indexable: p.boolean(),
    messageCount: p.integer(),
    /** Number of views, excluding views that are not aggregated yet. */
    viewCount: p.integer().default(0),
    /** Copies of the shared messages. Null for a shared agent and after the share is revoked. */
    snapshot: p.json<SharedMessage[]>().strictNullable(),
    /** Size of the snapshot in bytes. */
    snapshotBytes: p.integer().default(0),
    revokedAt: p.datetime(3).strictNullable(),
    /** Set by moderators: a held share is hidden from feeds. The link of a removed share does not work. */
    held: p.boolean().default(false),
    removedAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** A link to an agent or to messages of a conversation. */
export class Share extends ShareSchema.class {}
ShareSchema.setClass(Share);
