import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError, notFound } from '../core/errors.ts';
import { interruptOrphan } from './interrupt-generation.ts';
import type { AcceptedMessage } from './start-generation.ts';
import type { GenerationOfTurn, Turn } from './turn.ts';

const generationColumns = `
  g.id, g.state, g.user_message_id as "userMessageId", um.content as "userContent", g.conversation_id as "conversationId",
  g.is_regeneration as "isRegeneration", g.finished_at as "finishedAt", g.delivered_at as "deliveredAt"`;

const readLastMessage = {
  name: 'turn_last_message',
  text: `select id, role, content from messages where conversation_id = $1 and active order by position desc limit 1`,
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
const readAccepted = {
  name: 'generation_accepted',
  text: `
    select id as "generationId", user_message_id as "userMessageId", assistant_message_id as "assistantMessageId"
    from generations where id = $1`,
};

/** How far a conversation is. The caller holds its lock, or has asked for it on the same connection just before. */
export async function readTurn(ctx: Ctx, conversationId: string): Promise<Turn> {
  const [[lastGeneration], [lastMessage]] = await Promise.all([
    ctx.sql<GenerationOfTurn>(readLastGeneration, [conversationId]),
    ctx.sql<NonNullable<Turn['lastMessage']>>(readLastMessage, [conversationId]),
  ]);
  return { lastMessage: lastMessage ?? null, lastGeneration: lastGeneration ?? null };
}

/** The turn after an attempt whose instance has died was ended. The caller holds the conversation's lock. */
export async function settleOrphan(ctx: Ctx, turn: Turn): Promise<Turn> {
  const { lastGeneration: last } = turn;
  if (last?.state !== 'running' || !(await interruptOrphan(ctx, last.id))) return turn;
  return { ...turn, lastGeneration: { ...last, state: 'interrupted' } };
}

/** The generation that an idempotency key of the caller names; null for a new key. @throws AppError `idempotency_mismatch` */
export async function findKeyed(ctx: Ctx, conversationId: string, key: string): Promise<GenerationOfTurn | null> {
  const [keyed] = await ctx.sql<GenerationOfTurn & { conversationId: string }>(readKeyed, [callerId(ctx), key]);
  if (keyed && keyed.conversationId !== conversationId) throw new AppError('idempotency_mismatch');
  return keyed ?? null;
}

/** What an attempt was answered with when it was accepted. */
export async function getAccepted(ctx: Ctx, generationId: string): Promise<AcceptedMessage> {
  const [accepted] = await ctx.sql<AcceptedMessage>(readAccepted, [generationId]);
  if (!accepted) throw notFound();
  return accepted;
}
