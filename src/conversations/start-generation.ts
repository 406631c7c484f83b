import { callerId } from '../accounts/caller.ts';
import { canUseAgent } from '../agents/agent.policy.ts';
import type { Plan } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { onCommitted } from '../core/transaction.ts';
import { reserveMessage, utcDay } from './quota.ts';
import { runGeneration } from './run-generation.ts';

/** What a message that was accepted is answered by: follow it with `followGeneration`. */
export interface AcceptedMessage {
  generationId: string;
  userMessageId: string;
  /** The id that the reply has once it is stored. */
  assistantMessageId: string;
}

export interface Place {
  userId: string;
  agentId: string;
  plan: Plan;
  ownerId: string;
  isPublic: boolean;
}

const lock = {
  name: 'conversation_lock',
  text: `
    select c.user_id as "userId", c.agent_id as "agentId", u.plan, a.owner_id as "ownerId", a.is_public as "isPublic"
    from conversations c join users u on u.id = c.user_id join agents a on a.id = c.agent_id
    where c.id = $1 and c.user_id = $2
    for no key update of c`,
};

/**
 * Locks one of the caller's conversations, so that one at a time decides what happens in it. An agent that has turned
 * private answers nobody but its owner. @throws AppError `not_found`
 */
export async function lockForSending(ctx: Ctx, conversationId: string): Promise<Place> {
  if (!isId('conversation', conversationId)) throw notFound();
  const [place] = await ctx.sql<Place>(lock, [conversationId, callerId(ctx)]);
  if (!place || !canUseAgent(ctx.actor, place)) throw notFound();
  return place;
}

const countRunning = {
  name: 'generations_running',
  text: `select count(*) as running from generations where user_id = $1 and state = 'running'`,
};
const insertGeneration = {
  name: 'generation_insert',
  text: `
    insert into generations (id, conversation_id, user_id, user_message_id, assistant_message_id, state, instance_id, quota_day,
      idempotency_key, is_regeneration, created_at)
    values ($1, $2, $3, $4, $5, 'running', $6, $7, $8, $9, $10)`,
};

interface Attempt {
  conversationId: string;
  userMessageId: string;
  /** Of the user's message. */
  content: string;
  idempotencyKey: string | null;
  isRegeneration?: boolean;
  /** The failed attempt whose key this one takes over. */
  replaces?: string | null;
}

const releaseKey = {
  name: 'generation_release_key',
  text: `update generations set idempotency_key = null where id = $1`,
};

/**
 * Charges the user's day and starts an attempt to answer a stored message, once the transaction commits. The caller holds
 * the conversation's lock and has seen that nothing runs. @throws AppError `rate_limited`
 */
export async function startGeneration(ctx: Ctx, place: Place, attempt: Attempt): Promise<AcceptedMessage> {
  const { conversationId, userMessageId, content, idempotencyKey, isRegeneration = false, replaces } = attempt;
  const accepted = { generationId: newId('generation'), userMessageId, assistantMessageId: newId('message') };
  const now = ctx.clock.now();
  // In this order on the wire, in one go: the account's row of the day makes its sends wait for each other, so that each
  // counts the replies of those before it. A refusal takes the others back.
  await Promise.all([
    replaces && ctx.sql(releaseKey, [replaces]),
    reserveMessage(ctx, place.userId, place.plan, now),
    requireRoom(ctx, place.userId),
    ctx.sql(insertGeneration, [
      accepted.generationId,
      conversationId,
      place.userId,
      userMessageId,
      accepted.assistantMessageId,
      ctx.ports.generations.instanceId,
      utcDay(now),
      idempotencyKey,
      isRegeneration,
      now,
    ]),
  ]);
  const job = { ...accepted, conversationId, userId: place.userId, agentId: place.agentId, content };
  onCommitted(ctx, () => runGeneration(ctx.ports.background(), job));
  return accepted;
}

async function requireRoom(ctx: Ctx, userId: string): Promise<void> {
  const limit = ctx.config.generationLimits.perAccount;
  const [counted] = await ctx.sql<{ running: number }>(countRunning, [userId]);
  if ((counted?.running ?? 0) < limit) return;
  const message = `At most ${limit} replies can be under way at a time. Wait for one to end.`;
  throw new AppError('rate_limited', { message, retryAfterSeconds: 5 });
}
