import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ErrorCode } from '../core/errors.ts';

export type GenerationState = 'running' | 'complete' | 'stopped' | 'failed' | 'interrupted';

const GenerationSchema = defineEntity({
  name: 'Generation',
  tableName: 'generations',
  properties: {
    id: p.string().primary(),
    conversationId: p.string(),
    userId: p.string(),
    userMessageId: p.string(),
    /** The id that the reply has, or would have had. */
    assistantMessageId: p.string(),
    state: p.string().$type<GenerationState>(),
    /** The instance that runs it; its heartbeat is the lease. */
    instanceId: p.string(),
    stopRequested: p.boolean(),
    /** The reply is to be another branch beside the one that follows its message now. */
    isRegeneration: p.boolean(),
    /** UTC day whose quota it was charged to; null when it was given back. */
    quotaDay: p.string().nullable(),
    errorCode: p.string().$type<ErrorCode>().nullable(),
    errorMessage: p.string().nullable(),
    inputTokens: p.integer().nullable(),
    outputTokens: p.integer().nullable(),
    idempotencyKey: p.string().nullable(),
    createdAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
    /** When a client is known to have received the end of it; null marks a drop. */
    deliveredAt: p.datetime().nullable(),
  },
});

/** One attempt to answer a user's message. */
export class Generation extends GenerationSchema.class {}
GenerationSchema.setClass(Generation);
