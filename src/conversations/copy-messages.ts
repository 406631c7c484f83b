import { callerId } from '../accounts/caller.ts';
import { lockPlan } from '../accounts/plan.ts';
import { getAgent } from '../agents/agents.ts';
import { requireStorage } from '../billing/storage/stored-bytes.ts';
import type { Ctx } from '../core/ctx.ts';
import { ofAccountUnindexed } from '../core/database/of-account.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { AppError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { publish, wakeAccountReaders } from '../core/outbox.ts';
import { Conversation } from './conversation.entity.ts';
import { conversationEventData } from './conversation.events.ts';
import type { MessageRole } from './messages/message.entity.ts';

export interface CopiedMessage {
  role: MessageRole;
  content: string;
}

interface Copied {
  shareId: string;
  agentId: string;
  title: string | null;
  messages: readonly CopiedMessage[];
}

/**
 * Characters after which a batch of copied messages ends. Indexing their words takes most of the time, about a second for
 * 200,000 characters.
 */
export const batchCharacters = 50_000;

const insertMessages = {
  name: 'messages_copy',
  text: `
    insert into messages (id, conversation_id, user_id, position, role, content, created_at, parent_id)
    select m.id, $1, $2, $7 + m.position, m.role, m.content, $3, coalesce(lag(m.id) over (order by m.position), $8)
    from unnest($4::text[], $5::text[], $6::text[]) with ordinality as m (id, role, content, position)`,
};
const isCopying = {
  name: 'conversation_is_copying',
  text: `
    select 1 as found from conversations where user_id = $1 and copying_share_id is not null and deleted_at is null limit 1`,
};

/**
 * Creates a conversation of the caller that begins with these messages. They count neither towards the daily quota nor
 * towards the activity of the agent, but towards the stored bytes of the account. Only a first batch of them is stored
 * here; while `copyingShareId` is set, `appendCopied` must store the others. Publishes `conversation.created`.
 * @throws AppError `not_found` for an agent that the caller may not use, `plan_limit_exceeded`, `conflict` while another
 * copy is being made for the account
 */
export async function startWithMessages(
  ctx: Ctx,
  { shareId, agentId, title, messages }: Copied,
): Promise<Conversation> {
  const agent = await getAgent(ctx, agentId);
  const first = firstBatch(messages);
  const isWhole = first.length === messages.length;
  const copiedBytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  return inTransaction(ctx, async (tx) => {
    const userId = callerId(tx);
    await lockPlan(tx, userId);
    await requireStorage(tx, copiedBytes);
    if (!isWhole && (await tx.sql(isCopying, [userId])).length > 0) throw copyInProgress('Another shared conversation');
    const now = tx.clock.now();
    const conversation = tx.em.create(Conversation, {
      id: newId('conv_'),
      userId,
      agentId: agent.id,
      title,
      versionId: null,
      source: 'direct',
      messageCount: first.length,
      lastPosition: first.length,
      eventSequence: 1,
      createdAt: now,
      updatedAt: now,
      pinnedAt: null,
      archivedAt: null,
      deletedAt: null,
      copiedBytes,
      copyingShareId: isWhole ? null : shareId,
    });
    await tx.em.persist(conversation).flush();
    await insertBatch(
      tx,
      { conversationId: conversation.id, userId, createdAt: now, position: 0, lastId: null },
      first,
    );
    await publish(tx, userId, 'conversation.created', conversationEventData(conversation, 1));
    return conversation;
  });
}

/** Returns the error while messages of a share are being copied. */
export const copyInProgress = (what: string): AppError =>
  new AppError('conflict', {
    message: `${what} is still being copied. Try again in a few seconds.`,
    retryAfterSeconds: 2,
  });

function firstBatch(messages: readonly CopiedMessage[]): readonly CopiedMessage[] {
  let characters = 0;
  const end = messages.findIndex(({ content }) => (characters += content.length) > batchCharacters);
  return end === -1 ? messages : messages.slice(0, Math.max(1, end));
}

/** Where copied messages are appended. */
export interface CopyPlace {
  conversationId: string;
  userId: string;
  createdAt: Date;
  /** Position of the last message. */
  position: number;
  /** Id of the last message. */
  lastId: string | null;
}

async function insertBatch(tx: Ctx, place: CopyPlace, messages: readonly CopiedMessage[]): Promise<void> {
  await tx.sql(insertMessages, [
    place.conversationId,
    place.userId,
    place.createdAt,
    messages.map(() => newId('msg_')),
    messages.map(({ role }) => role),
    messages.map(({ content }) => content),
    place.position,
    place.lastId,
  ]);
}

const lockPlace = {
  name: 'conversation_copy_lock',
  text: `
    select c.id as "conversationId", c.user_id as "userId", c.created_at as "createdAt", c.last_position as position,
      c.copying_share_id as "shareId"
    from conversations c where c.id = $1 and c.copying_share_id is not null and c.deleted_at is null
    for no key update of c`,
};
const findLast = {
  name: 'conversation_copy_last',
  text: `
    select m.id from messages m
    where m.conversation_id = $1 and ${ofAccountUnindexed('m.user_id', '$2')} and m.position = $3`,
};
const advance = {
  name: 'conversation_copy_advance',
  text: `
    update conversations set last_position = last_position + $2, message_count = message_count + $2,
      copying_share_id = case when $3 then null else copying_share_id end
    where id = $1`,
};

/**
 * Appends the next batch of a copy that `startWithMessages` began, in one transaction. `read` returns the batch that
 * follows a position, empty at the end. Returns whether there is more to copy.
 */
export const appendCopied = (
  ctx: Ctx,
  conversationId: string,
  read: (tx: Ctx, shareId: string, position: number) => Promise<readonly CopiedMessage[]>,
): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const [place] = await tx.sql<Omit<CopyPlace, 'lastId'> & { shareId: string }>(lockPlace, [conversationId]);
    if (!place) return false;
    const [last] = await tx.sql<{ id: string }>(findLast, [conversationId, place.userId, place.position]);
    const messages = await read(tx, place.shareId, place.position);
    if (messages.length > 0) await insertBatch(tx, { ...place, lastId: last?.id ?? null }, messages);
    const isDone = messages.length === 0;
    await tx.sql(advance, [conversationId, messages.length, isDone]);
    if (isDone) wakeAccountReaders(tx, place.userId);
    return !isDone;
  });
