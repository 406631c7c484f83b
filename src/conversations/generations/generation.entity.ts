import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ErrorCode } from '../../core/errors.ts';
import { User } from '../../accounts/user.entity.ts';
import { Conversation } from '../conversation.entity.ts';
import { Message } from '../messages/message.entity.ts';
import type { GenerationState } from './generation-states.ts';

const GenerationSchema = defineEntity({
  name: 'Generation',
  tableName: 'generations',
  properties: {
    id: p.text().primary(),
    conversationId: p.manyToOne(Conversation).mapToPk().name('conversation_id').deleteRule('cascade'),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    userMessageId: p.manyToOne(Message).mapToPk().name('user_message_id').deleteRule('cascade'),
    /** The id of the reply, reserved from the start. */
    assistantMessageId: p.text(),
    state: p.text().$type<GenerationState>(),
    /** The instance that runs it; its heartbeat is the lease. */
    instanceId: p.text(),
    stopRequested: p.boolean().default(false),
    /** Whether the reply is another branch beside the one that follows its message now. */
    isRegeneration: p.boolean().default(false),
    /** UTC day whose quota it was charged to; null when the charge was returned. */
    quotaDay: p.date().strictNullable(),
    errorCode: p.text().$type<ErrorCode>().strictNullable(),
    errorMessage: p.text().strictNullable(),
    /** What was written before it failed or was interrupted; null when nothing was, or the reply is stored. */
    partialText: p.text().strictNullable(),
    inputTokens: p.integer().strictNullable(),
    outputTokens: p.integer().strictNullable(),
    idempotencyKey: p.text().strictNullable(),
    /** The version of the agent that answers; null when it was written by an earlier release. */
    versionId: p.text().strictNullable(),
    /** Milliseconds from its start to the first text. */
    firstWordsMs: p.integer().strictNullable(),
    createdAt: p.datetime(3),
    finishedAt: p.datetime(3).strictNullable(),
    /** When a client is known to have received the end of it; null marks a drop. */
    deliveredAt: p.datetime(3).strictNullable(),
  },
});

/** An attempt to answer a user's message. */
export class Generation extends GenerationSchema.class {}
GenerationSchema.setClass(Generation);
