import { defineEntity, p } from '@mikro-orm/postgresql';
import type { PlatformKind } from './platforms.ports.ts';

export type IntegrationStatus = 'active' | 'inactive' | 'error';

const IntegrationSchema = defineEntity({
  name: 'Integration',
  tableName: 'integrations',
  properties: {
    id: p.string().primary(),
    ownerId: p.string(),
    agentId: p.string(),
    platform: p.string().$type<PlatformKind>(),
    status: p.string().$type<IntegrationStatus>(),
    /** Guild or workspace; empty for chat_messenger. */
    place: p.string(),
    /** Empty for chat_messenger, which answers wherever it is written to. */
    channelIds: p.array(),
    autoRespond: p.boolean(),
    /** Encrypted; see bot-token.ts. */
    botToken: p.string().hidden(),
    tokenHash: p.blob().hidden(),
    errorCode: p.string().nullable(),
    errorMessage: p.string().nullable(),
    /** What people said to it and what it answered. */
    messageCount: p.integer(),
    eventSequence: p.integer(),
    connectedAt: p.datetime(),
    lastMessageAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});

/** An agent attached to a chat platform through a bot. */
export class Integration extends IntegrationSchema.class {}
IntegrationSchema.setClass(Integration);
