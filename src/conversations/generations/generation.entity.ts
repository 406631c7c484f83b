import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ErrorCode } from '../../core/errors.ts';
import { User } from '../../accounts/user.entity.ts';
import { Conversation } from '../conversation.entity.ts';
import { Message } from '../messages/message.entity.ts';
import type { GenerationState } from '../replies/generation-state.ts';

const GenerationSchema = defineEntity({
  name: 'Generation',
  tableName: 'generations',
  properties: {
    id: p.text().primary(),
    conversationId: p.manyToOne(Conversation).mapToPk().name('conversation_id').deleteRule('cascade'),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    userMessageId: p.manyToOne(Message).mapToPk().name('user_message_id').deleteRule('cascade'),
    /** Id of the reply, reserved at the start. */
    assistantMessageId: p.text(),
    state: p.text().$type<GenerationState>(),
    /** Instance that runs the generation. The heartbeat of the instance is the lease. */
    instanceId: p.text(),
    stopRequested: p.boolean().default(false),
    /** Whether the reply is another branch next to the current reply to its message. */
    isRegeneration: p.boolean().default(false),
    /** UTC day whose quota was charged; null when the charge was refunded. */
    quotaDay: p.date().strictNullable(),
    errorCode: p.text().$type<ErrorCode>().strictNullable(),
    errorMessage: p.text().strictNullable(),
    /**
     * Text that was written before the generation failed or was interrupted. Null when nothing was written or the reply
     * is stored.
     */
    partialText: p.text().strictNullable(),
    /** Time before which the provider refuses further calls. */
    retryAt: p.datetime(3).strictNullable(),
    inputTokens: p.integer().strictNullable(),
    outputTokens: p.integer().strictNullable(),
    idempotencyKey: p.text().strictNullable(),
    /** Version of the agent that replies; null when an earlier release wrote the generation. */
    versionId: p.text().strictNullable(),
    /** Milliseconds from the start to the first text. */
    firstWordsMs: p.integer().strictNullable(),
    createdAt: p.datetime(3),
    finishedAt: p.datetime(3).strictNullable(),
    /** When a client is known to have received the end of the reply. Null when the connection may have dropped. */
    deliveredAt: p.datetime(3).strictNullable(),
  },
});

/** An attempt to answer a user's message. */
export class Generation extends GenerationSchema.class {}
GenerationSchema.setClass(Generation);
