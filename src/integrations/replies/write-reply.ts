import { type Plan, userActor } from '../../core/actor.ts';
import { inLiveConversation } from '../../conversations/deleted.ts';
import { createConversation } from '../../conversations/conversations.ts';
import { waitForReply } from '../../conversations/generations/wait-for-reply.ts';
import { sendMessage } from '../../conversations/messages/send-message.ts';
import type { AcceptedMessage } from '../../conversations/generations/generation-job.ts';
import { type Ctx, withActor } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { type OpenMessage, replyKey, settleMessage, type Step } from './open-message.ts';
import { notify } from '../connections/notices.ts';
import { startTyping } from './typing.ts';

const apology = 'Sorry, I could not answer that. Please try again in a moment.';
const maxFailures = 3;
const busyRetryMs = 1_000;

const storeParts = {
  name: 'platform_message_parts',
  text: `update platform_messages set state = 'replying', parts = $2, content = '' where seq = $1 and state = 'received'`,
};
const countFailure = {
  name: 'platform_message_failure',
  text: `update platform_messages set failures = failures + 1 where seq = $1 returning failures`,
};

/**
 * Generates the agent's reply in the user's conversation, like a REST request and with the same quota, and stores the
 * parts to send. The idempotency key is derived from the message, so a repetition joins or replays the reply.
 */
export async function writePlatformReply(ctx: Ctx, message: OpenMessage, signal: AbortSignal): Promise<Step> {
  const owner = await ownerCtx(ctx, message.ownerId);
  let sent: AcceptedMessage;
  try {
    const conversationId = await conversationOf(owner, message);
    sent = await sendMessage(owner, conversationId, { content: message.content, idempotencyKey: replyKey(message) });
  } catch (error) {
    return await refuse(ctx, message, error);
  }
  const typing = startTyping(ctx, message);
  try {
    const { assistantMessage } = await untilAborted(waitForReply(owner, sent), signal);
    await keepReply(ctx, message, assistantMessage.content);
    return { done: true };
  } catch (error) {
    return await afterFailure(ctx, message, error);
  } finally {
    typing.stop();
  }
}

const readOwner = { name: 'integration_owner', text: `select plan from users where id = $1` };

/** Returns a Ctx of the owner with only the scopes that a reply needs. */
async function ownerCtx(ctx: Ctx, ownerId: string): Promise<Ctx> {
  const [user] = await ctx.sql<{ plan: Plan }>(readOwner, [ownerId]);
  if (!user) throw new Error('the owner of the integration does not exist');
  return withActor(ctx, userActor(ownerId, user.plan, ['agents:read', 'conversations:write']));
}

const findConversation = {
  name: 'integration_conversation_find',
  text: `
    select conversation_id as id from integration_conversations i
    where integration_id = $1 and chat_id = $2 and person_id = $3 and ${inLiveConversation('i')}`,
};
const insertConversation = {
  name: 'integration_conversation_insert',
  text: `
    insert into integration_conversations (integration_id, chat_id, person_id, conversation_id, created_at)
    values ($1, $2, $3, $4, $5)
    on conflict (integration_id, chat_id, person_id) do update set
      conversation_id = excluded.conversation_id, created_at = excluded.created_at`,
};

/** Returns the conversation of this person in this chat. Creates one when there is none or the owner has deleted it. */
async function conversationOf(ctx: Ctx, { integrationId, chatId, personId, agentId }: OpenMessage): Promise<string> {
  const [known] = await ctx.sql<{ id: string }>(findConversation, [integrationId, chatId, personId]);
  if (known) return known.id;
  return inTransaction(ctx, async (tx) => {
    const { id } = await createConversation(tx, { agentId }, 'integration');
    await tx.sql(insertConversation, [integrationId, chatId, personId, id, tx.clock.now()]);
    return id;
  });
}

/** Handles the rejection of a message. */
async function refuse(ctx: Ctx, message: OpenMessage, error: unknown): Promise<Step> {
  if (!(error instanceof AppError)) throw error;
  // A reply is running, because the owner also writes in this conversation over REST.
  if (error.code === 'generation_in_progress') return { laterMs: busyRetryMs };
  if (error.code === 'rate_limited') {
    await inTransaction(ctx, async (tx) => {
      await notify(tx, 'quota', message);
      await settleMessage(tx, message.seq, 'refused');
    });
    return { done: true };
  }
  return afterFailure(ctx, message, error);
}

/** Retries after a failure, at most twice, then replies with an apology. */
async function afterFailure(ctx: Ctx, message: OpenMessage, error: unknown): Promise<Step> {
  if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
  if (error.code === 'conflict') {
    // The owner stopped the reply before anything was written, or a newer message replaced it, so no reply is needed.
    await settleMessage(ctx, message.seq, 'answered');
    return { done: true };
  }
  const [row] = await ctx.sql<{ failures: number }>(countFailure, [message.seq]);
  const failures = row?.failures ?? maxFailures;
  ctx.log.info(
    { integrationId: message.integrationId, code: error.code, failures },
    'the reply to a platform message failed',
  );
  if (failures < maxFailures && error.code !== 'context_length_exceeded') return { laterMs: 500 * 4 ** failures };
  await keepReply(ctx, message, apology);
  return { done: true };
}

async function keepReply(ctx: Ctx, { seq, platform }: OpenMessage, reply: string): Promise<void> {
  // Loaded with the first reply, because the start needs no Markdown parser.
  const { toParts } = await import('./markup.ts');
  await ctx.sql(storeParts, [seq, JSON.stringify(toParts(platform, reply))]);
}

/** Stops waiting when the process stops or the lease is lost. The reply is completed anyway, and a retry joins it. */
async function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
    promise.catch(() => undefined);
  }
}
