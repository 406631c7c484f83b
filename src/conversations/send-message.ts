import { callerId } from '../accounts/accounts.ts';
import { canUseAgent } from '../agents/agent.policy.ts';
import type { Plan } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { inTransaction, onCommitted } from '../core/transaction.ts';
import { appendMessage } from './append-message.ts';
import { sendMessageInput } from './conversation.input.ts';
import { interruptOrphan } from './interrupt-generation.ts';
import { reserveMessage } from './quota.ts';
import { runGeneration } from './run-generation.ts';
import { decideTurn, type GenerationOfTurn, type Turn } from './turn.ts';

/** What a message that was accepted is answered by: follow it with `followGeneration`. */
export interface AcceptedMessage {
  generationId: string;
  userMessageId: string;
  /** The id that the reply has once it is stored. */
  assistantMessageId: string;
}

/**
 * Accepts a message: stores it, counts it against the day and starts its generation, all or nothing. The same message
 * again joins, replays or retries what there is (`decideTurn`); `idempotencyKey` names the message when given.
 * @throws AppError `invalid_request`, `not_found`, `generation_in_progress`, `rate_limited`, `idempotency_mismatch`
 */
export async function sendMessage(ctx: Ctx, conversationId: string, input: unknown): Promise<AcceptedMessage> {
  const { content, idempotencyKey } = parseInput(sendMessageInput, input);
  if (!isId('conversation', conversationId)) throw notFound();
  return inTransaction(ctx, async (tx) => {
    const place = await lockConversation(tx, conversationId);
    const turn = await readTurn(tx, conversationId);
    const keyed = idempotencyKey ? await findKeyed(tx, conversationId, idempotencyKey) : undefined;
    const decision = decideTurn(turn, { content, keyed, now: tx.clock.now() });
    if (decision.kind === 'join') return findAccepted(tx, decision.generationId);

    const day = await reserveMessage(tx, place.userId, place.plan);
    if (decision.kind === 'retry') {
      if (decision.replaces) await tx.sql(releaseKey, [decision.replaces]);
      return startAttempt(tx, conversationId, decision.userMessageId, day, idempotencyKey ?? null);
    }
    const message = await appendMessage(tx, { conversationId, role: 'user', content });
    if (!message) throw notFound();
    return startAttempt(tx, conversationId, message.id, day, idempotencyKey ?? null);
  });
}

const lock = {
  name: 'conversation_lock',
  text: `
    select c.user_id as "userId", u.plan, a.owner_id as "ownerId", a.is_public as "isPublic"
    from conversations c join users u on u.id = c.user_id join agents a on a.id = c.agent_id
    where c.id = $1 and c.user_id = $2
    for no key update of c`,
};

interface Place {
  userId: string;
  plan: Plan;
  ownerId: string;
  isPublic: boolean;
}

/** One at a time decides what a message means. An agent that has turned private answers nobody but its owner. */
async function lockConversation(ctx: Ctx, conversationId: string): Promise<Place> {
  const [place] = await ctx.sql<Place>(lock, [conversationId, callerId(ctx)]);
  if (!place || !canUseAgent(ctx.actor, place)) throw notFound();
  return place;
}

const generationColumns = `
  g.id, g.state, g.user_message_id as "userMessageId", um.content as "userContent", g.conversation_id as "conversationId",
  g.finished_at as "finishedAt", g.delivered_at as "deliveredAt"`;

const readLastMessage = {
  name: 'turn_last_message',
  text: `select id, role, content from messages where conversation_id = $1 order by position desc limit 1`,
};
const readLastGeneration = {
  name: 'turn_last_generation',
  text: `
    select ${generationColumns} from generations g join messages um on um.id = g.user_message_id
    where g.conversation_id = $1 order by g.created_at desc, g.id desc limit 1`,
};
const readKeyed = {
  name: 'turn_keyed_generation',
  text: `
    select ${generationColumns} from generations g join messages um on um.id = g.user_message_id
    where g.user_id = $1 and g.idempotency_key = $2`,
};
const releaseKey = {
  name: 'generation_release_key',
  text: `update generations set idempotency_key = null where id = $1`,
};

async function readTurn(ctx: Ctx, conversationId: string): Promise<Turn> {
  const [lastGeneration] = await ctx.sql<GenerationOfTurn>(readLastGeneration, [conversationId]);
  if (lastGeneration?.state === 'running' && (await interruptOrphan(ctx, lastGeneration.id)))
    lastGeneration.state = 'interrupted';
  const [lastMessage] = await ctx.sql<NonNullable<Turn['lastMessage']>>(readLastMessage, [conversationId]);
  return { lastMessage: lastMessage ?? null, lastGeneration: lastGeneration ?? null };
}

async function findKeyed(ctx: Ctx, conversationId: string, key: string): Promise<GenerationOfTurn | null> {
  const [keyed] = await ctx.sql<GenerationOfTurn & { conversationId: string }>(readKeyed, [callerId(ctx), key]);
  if (keyed && keyed.conversationId !== conversationId) throw new AppError('idempotency_mismatch');
  return keyed ?? null;
}

const readAccepted = {
  name: 'generation_accepted',
  text: `
    select id as "generationId", user_message_id as "userMessageId", assistant_message_id as "assistantMessageId"
    from generations where id = $1`,
};

async function findAccepted(ctx: Ctx, generationId: string): Promise<AcceptedMessage> {
  const [accepted] = await ctx.sql<AcceptedMessage>(readAccepted, [generationId]);
  if (!accepted) throw notFound();
  return accepted;
}

const insertGeneration = {
  name: 'generation_insert',
  text: `
    insert into generations (id, conversation_id, user_id, user_message_id, assistant_message_id, state, instance_id, quota_day,
      idempotency_key, created_at)
    values ($1, $2, $3, $4, $5, 'running', $6, $7, $8, $9)`,
};

async function startAttempt(
  ctx: Ctx,
  conversationId: string,
  userMessageId: string,
  day: string,
  key: string | null,
): Promise<AcceptedMessage> {
  const accepted = { generationId: newId('generation'), userMessageId, assistantMessageId: newId('message') };
  const instanceId = ctx.ports.generations.instanceId;
  await ctx.sql(insertGeneration, [
    accepted.generationId,
    conversationId,
    callerId(ctx),
    userMessageId,
    accepted.assistantMessageId,
    instanceId,
    day,
    key,
    ctx.clock.now(),
  ]);
  onCommitted(ctx, () => runGeneration(ctx.ports.background(), { ...accepted, conversationId }));
  return accepted;
}
