import { isOpenTo } from '../../accounts/blocks/blocks.ts';
import { callerId } from '../../accounts/caller.ts';
import type { AgentModerationState } from '../../agents/agent.entity.ts';
import { canUseAgent } from '../../agents/agent.policy.ts';
import { isPublicSql } from '../../agents/agents.ts';
import type { Plan } from '../../core/actor.ts';
import type { Ctx } from '../../core/ctx.ts';
import { lockThenRead, onCommitted, sendSql } from '../../core/database/transaction.ts';
import { notFound } from '../../core/errors.ts';
import { isId, newId } from '../../core/ids.ts';
import { wakeAccountReaders } from '../../core/outbox.ts';
import { chooseVersion, type VersionChoice, versionChoice } from '../../studio/choose-version.ts';
import { copyInProgress } from '../copy-messages.ts';
import { sendCharge, utcDay } from '../messages/quota.ts';
import type { AcceptedMessage } from './generation-job.ts';
import { sendRunning } from './generation-states.ts';
import { runGeneration } from './run-generation.ts';

/** A conversation that the transaction has locked, and the account that is charged for replies in it. */
export interface LockedConversation extends VersionChoice {
  id: string;
  userId: string;
  agentId: string;
  plan: Plan;
  ownerId: string;
  isPublic: boolean;
  moderationState: AgentModerationState;
  /** Whether messages of a share are still being copied into it. */
  isCopying: boolean;
}

const lock = {
  name: 'conversation_lock',
  text: `select from conversations where id = $1 and user_id = $2 for no key update`,
};
const find = {
  name: 'conversation_to_send',
  text: `
    select c.id, c.user_id as "userId", c.agent_id as "agentId", u.plan, a.owner_id as "ownerId", (${isPublicSql}) as "isPublic",
      a.moderation_state as "moderationState",
      c.copying_share_id is not null as "isCopying", ${versionChoice.columns}
    from conversations c join users u on u.id = c.user_id join agents a on a.id = c.agent_id ${versionChoice.joins}
    where c.id = $1 and c.user_id = $2 and c.deleted_at is null and a.deleted_at is null
      and ${isOpenTo('a.owner_id', 'c.user_id')}`,
};

/**
 * Locks one of the caller's conversations, so that only this transaction changes it. An agent that has become private
 * can be used only by its owner, and not by users whom its owner blocks.
 * @throws AppError `not_found`, `conflict` while messages are being copied into it
 */
export async function lockForSending(ctx: Ctx, conversationId: string): Promise<LockedConversation> {
  if (!isId('conv_', conversationId)) throw notFound();
  const key = [conversationId, callerId(ctx)];
  const [conversation] = await lockThenRead<LockedConversation>(ctx, [lock, key], [find, key]);
  if (!conversation || !canUseAgent(ctx.actor, conversation)) throw notFound();
  if (conversation.isCopying) throw copyInProgress('This conversation');
  return conversation;
}

interface Attempt {
  userMessageId: string;
  /** Content of the user's message. */
  content: string;
  idempotencyKey: string | null;
  isRegeneration?: boolean;
  /** Id of the failed attempt whose idempotency key this one takes over. */
  replaces?: string | null;
  /**
   * Charges additional limits besides that of the account, and throws to reject. Sent after the charge of the account,
   * under its lock.
   */
  alsoCharge?: AlsoCharge | undefined;
}

export type AlsoCharge = (tx: Ctx) => Promise<void>;

const releaseKey = {
  name: 'generation_release_key',
  text: `update generations set idempotency_key = null where id = $1 and user_id = $2`,
};

/**
 * Charges the user's daily quota, and starts an attempt to reply to a stored message once the transaction commits. The
 * caller holds the lock of the conversation and has checked that no generation is running.
 * @throws AppError `rate_limited`; `idempotency_mismatch` when the key belongs to a message of another conversation
 */
export async function startGeneration(
  tx: Ctx,
  conversation: LockedConversation,
  { userMessageId, content, idempotencyKey, isRegeneration = false, replaces, alsoCharge }: Attempt,
): Promise<AcceptedMessage> {
  const { id: conversationId, userId, agentId, plan } = conversation;
  const versionId = await chooseVersion(tx, conversation, userMessageId);
  const generationId = newId('gen_');
  const ids = { conversationId, userMessageId, assistantMessageId: newId('msg_') };
  const now = tx.clock.now();
  const attempt = {
    id: generationId,
    ...ids,
    userId,
    quotaDay: utcDay(now),
    idempotencyKey,
    isRegeneration,
    versionId,
  };
  // Sent together, in this order: the counter of the account's day serializes its sends, so each send counts the
  // running replies of the earlier ones. A rejection rolls back all of them.
  await Promise.all([
    replaces && sendSql(tx, releaseKey, [replaces, userId]),
    sendCharge(tx, userId, plan, now),
    alsoCharge?.(tx),
    sendRunning(tx, attempt, tx.config.generationLimits.perAccount),
  ]);
  const accepted = { generationId, ...ids, isReplay: false };
  const job = { generationId, ...ids, userId, agentId, content, isRegeneration };
  onCommitted(tx, () => runGeneration(tx.ports.background(), job));
  // For a new message, publishing its event wakes the readers.
  if (isRegeneration || replaces !== undefined) wakeAccountReaders(tx, userId);
  return accepted;
}
