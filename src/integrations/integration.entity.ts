import { defineEntity, p } from '@mikro-orm/postgresql';
import type { PlatformKind } from './platforms.ports.ts';
import { User } from '../accounts/user.entity.ts';
import { Agent } from '../agents/agent.entity.ts';

export type IntegrationStatus = 'active' | 'inactive' | 'error';

const IntegrationSchema = defineEntity({
  name: 'Integration',
  tableName: 'integrations',
  properties: {
    id: p.text().primary(),
    ownerId: p.manyToOne(User).mapToPk().name('owner_id').deleteRule('cascade'),
    agentId: p.manyToOne(Agent).mapToPk().name('agent_id').deleteRule('cascade'),
    platform: p.text().$type<PlatformKind>(),
    status: p.text().$type<IntegrationStatus>(),
    /** Id of the guild or workspace; empty for chat_messenger. */
    place: p.text(),
    /** Empty for chat_messenger, which replies in every chat. */
    channelIds: p.array(),
    autoRespond: p.boolean(),
    /** Encrypted token; see bot-token.ts. */
    botToken: p.text().hidden(),
    tokenHash: p.blob().hidden(),
    errorCode: p.text().strictNullable(),
    errorMessage: p.text().strictNullable(),
    /** Number of received messages and sent replies. */
    messageCount: p.integer().default(0),
    eventSequence: p.integer().default(0),
    connectedAt: p.datetime(3),
    lastMessageAt: p.datetime(3).strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** An agent connected to a chat platform through a bot. */
export class Integration extends IntegrationSchema.class {}
IntegrationSchema.setClass(Integration);
