import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import { AppError, notFound } from '../../core/errors.ts';
import type { MessageRole } from '../messages/message.entity.ts';
import { Generation } from './generation.entity.ts';
import type { AcceptedMessage } from './generation-job.ts';
import { interruptOrphan } from './interrupt-generation.ts';
import type { GenerationOfTurn, Turn } from './turn.ts';

/** How long a stored reply is replayed when the same message is sent again, unless a client has received it. */
const replayWindow = '10 minutes';

const generationColumns = `
  ${columnsOf(Generation, 'g', {
    only: ['id', 'state', 'userMessageId', 'conversationId', 'isRegeneration', 'idempotencyKey'],
  })}, um.content as "userContent",
  (g.state = 'complete' and g.delivered_at is null and g.finished_at > now() - interval '${replayWindow}') as "isDropped"`;
const generationsOfMessages = 'generations g join messages um on um.id = g.user_message_id and um.user_id = g.user_id';
const newestFirst = 'order by g.created_at desc, g.id desc limit 1';

const readLast = {
  name: 'turn_last',
  text: `
    select coalesce(q.id, m.id) as "messageId", coalesce(q.role, m.role) as role, coalesce(q.content, m.content) as content,
      q.id is not null as "hasBrokenReply", g.*
    from (select) turn
    left join (
      select id, role, content, broken, parent_id from messages
      where conversation_id = $1 and ${ofAccountUnindexed('user_id', '$2')} and active
      order by position desc limit 1
    ) m on true
    left join messages q on m.broken and q.id = m.parent_id and q.user_id = $2
    left join (
      select ${generationColumns} from ${generationsOfMessages}
      where g.conversation_id = $1 and ${ofAccountUnindexed('g.user_id', '$2')} ${newestFirst}
    ) g on true`,
};

/** When the message or the generation does not exist, all its columns are null. */
interface LastRow extends GenerationOfTurn {
  messageId: string | null;
  role: MessageRole;
  content: string;
  hasBrokenReply: boolean;
}
const readLastOfMessage = {
  name: 'turn_last_of_message',
  text: `
    select ${generationColumns}, um.active as "isActive" from ${generationsOfMessages}
    where g.user_message_id = $1 and g.user_id = $2 ${newestFirst}`,
};
const readKeyed = {
  name: 'turn_keyed_generation',
  text: `select ${generationColumns} from ${generationsOfMessages} where g.user_id = $1 and g.idempotency_key = $2`,
};
const readAccepted = {
  name: 'generation_accepted',
  text: `
    select id as "generationId", conversation_id as "conversationId", user_message_id as "userMessageId",
      assistant_message_id as "assistantMessageId", true as "isReplay"
    from generations where id = $1 and user_id = $2`,
};

/**
 * Reads the state of one of the caller's conversations. The caller holds its lock, or has just requested it on the same
 * connection.
 */
export async function readTurn(ctx: Ctx, conversationId: string): Promise<Turn> {
  const [last] = await ctx.sql<LastRow>(readLast, [conversationId, callerId(ctx)]);
  if (!last) throw new Error('the turn was not read');
  const { messageId, role, content, hasBrokenReply, ...generation } = last;
  return {
    lastMessage: messageId ? { id: messageId, role, content } : null,
    hasBrokenReply,
    lastGeneration: generation.id ? generation : null,
  };
}

/**
 * Interrupts the attempt of the turn if it is orphaned, and returns the turn after that. The caller holds the lock of
 * the conversation.
 */
export async function settleOrphan(tx: Ctx, turn: Turn): Promise<Turn> {
  const { lastGeneration: last } = turn;
  if (last?.state !== 'running' || !(await interruptOrphan(tx, { id: last.id, userId: callerId(tx) }))) return turn;
  return { ...turn, lastGeneration: { ...last, state: 'interrupted' } };
}

/** Returns the newest attempt to reply to a message of the caller; undefined when the message no longer exists. */
export async function findLastOfMessage(
  tx: Ctx,
  userMessageId: string,
): Promise<(GenerationOfTurn & { isActive: boolean }) | undefined> {
  const [last] = await tx.sql<GenerationOfTurn & { isActive: boolean }>(readLastOfMessage, [
    userMessageId,
    callerId(tx),
  ]);
  return last;
}

/**
 * Returns the generation of one of the caller's idempotency keys; null for a new key.
 * @throws AppError `idempotency_mismatch` for a key of another conversation
 */
export async function findKeyed(ctx: Ctx, conversationId: string, key: string): Promise<GenerationOfTurn | null> {
  const [keyed] = await ctx.sql<GenerationOfTurn & { conversationId: string }>(readKeyed, [callerId(ctx), key]);
  if (keyed && keyed.conversationId !== conversationId) throw new AppError('idempotency_mismatch');
  return keyed ?? null;
}

/** Returns the accepted message of an attempt that is joined or replayed. @throws AppError `not_found` */
export async function getAccepted(ctx: Ctx, generationId: string): Promise<AcceptedMessage> {
  const [accepted] = await ctx.sql<AcceptedMessage>(readAccepted, [generationId, callerId(ctx)]);
  if (!accepted) throw notFound();
  return accepted;
}
