import { owns } from '../core/actor.ts';
import { callerId } from '../accounts/caller.ts';
import type { Agent } from '../agents/agent.entity.ts';
import { getAgent } from '../agents/agents.ts';
import { requireStorage } from '../billing/storage/stored-bytes.ts';
import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { publish, wakeAccountReaders } from '../core/outbox.ts';
import { orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { enqueueTask } from '../core/tasks/tasks.ts';
import { inTransaction } from '../core/database/transaction.ts';
import type { ConversationSource } from '../studio/conversation-source.ts';
import { type GreetingChoice, variantToGreet } from '../studio/experiments/expose.ts';
import { findVersion, type ShownVersion } from '../studio/versions.ts';
import { isLiveConversation } from './deleted.ts';
import { sendAppend } from './messages/append-message.ts';
import { Conversation } from './conversation.entity.ts';
import { requestGreeting } from './prompt/greetings.ts';
import { findGreeting } from './prompt/version-greetings.ts';
import { conversationEventData } from './conversation.events.ts';
import {
  type ConversationFilter,
  createConversationInput,
  listConversationsInput,
  updateConversationInput,
} from './conversation.input.ts';
import { onReplica } from '../core/database/replica.ts';

/**
 * Creates a conversation with an agent that the caller may use. The owner of the agent can pin it to a version. The
 * greeting of the version that replies is stored as the first message: the one that its owner wrote, or the one that was
 * generated earlier. Without either, a task generates a greeting about a second later. Publishes `conversation.created`.
 * @throws AppError `invalid_request`, `not_found`, `plan_limit_exceeded` when the caller stores too much
 */
export async function createConversation(
  ctx: Ctx,
  input: unknown,
  source: ConversationSource = 'direct',
): Promise<Conversation> {
  const { agentId, title, versionId = null } = parseInput(createConversationInput, input);
  // Visitors and chat platforms are limited by their embed or channel.
  const [agent] = await Promise.all([getAgent(ctx, agentId), source === 'direct' && requireStorage(ctx, 0)]);
  if (versionId !== null && !owns(ctx.actor, agent.ownerId)) throw notFound();
  const pinned = versionId === null ? null : await findVersion(ctx, agent.id, versionId);
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const conversation = tx.em.create(Conversation, {
      id: newId('conv_'),
      userId: callerId(tx),
      agentId: agent.id,
      title: title ?? null,
      versionId: pinned?.id ?? null,
      source,
      messageCount: 0,
      lastPosition: 0,
      eventSequence: 1,
      createdAt: now,
      updatedAt: now,
      pinnedAt: null,
      archivedAt: null,
      deletedAt: null,
      copyingShareId: null,
    });
    await tx.em.persist(conversation).flush();
    await publish(tx, conversation.userId, 'conversation.created', conversationEventData(conversation, 1));
    const greeting = await findGreeting(tx, await chooseGreeting(tx, conversation, agent, pinned));
    const { id: conversationId, userId } = conversation;
    if (greeting)
      await sendAppend(tx, { conversationId, userId, agentId: agent.id, role: 'assistant', content: greeting });
    else await requestGreeting(tx, conversationId);
    return conversation;
  });
}

/** Returns the version to which the conversation is pinned, that of the user's variant in an experiment, or the live one. */
async function chooseGreeting(
  tx: Ctx,
  { id, userId, source }: Conversation,
  agent: Agent,
  pinned: ShownVersion | null,
): Promise<GreetingChoice> {
  if (pinned) return { versionId: pinned.id, greeting: pinned.greetingMessage };
  const isOwner = source === 'direct' && userId === agent.ownerId;
  const person = { agentId: agent.id, userId, subject: source === 'direct' ? userId : id };
  const variant = isOwner ? undefined : await variantToGreet(tx, person);
  return variant ?? { versionId: agent.liveVersionId ?? null, greeting: agent.greetingMessage ?? null };
}

const conversationColumns = columnsOf(Conversation, 'c');

const selectConversation = {
  name: 'conversation_get',
  text: `select ${conversationColumns} from conversations c where c.id = $1 and c.user_id = $2 and ${isLiveConversation('c')}`,
};

/** Returns one of the caller's conversations. @throws AppError `not_found` */
export async function getConversation(ctx: Pick<Ctx, 'sql' | 'actor'>, id: string): Promise<Conversation> {
  const [conversation] = isId('conv_', id) ? await ctx.sql<Conversation>(selectConversation, [id, callerId(ctx)]) : [];
  if (!conversation) throw notFound();
  return conversation;
}

const byUse = {
  key: { column: 'c.updated_at', kind: 'time', of: (conversation: Conversation) => conversation.updatedAt },
  id: { column: 'c.id', of: (conversation: Conversation) => conversation.id },
} as const;

/** Conditions of the lists. Archived conversations appear only in `archived` and `all`. */
const conditions: Record<ConversationFilter | 'all', string> = {
  all: 'true',
  open: 'c.archived_at is null',
  pinned: 'c.pinned_at is not null and c.archived_at is null',
  archived: 'c.archived_at is not null',
};

const listOf = (filter: keyof typeof conditions, owned: 'all' | 'agent') => {
  const ofAgent = owned === 'agent' ? ' and c.agent_id = $2' : '';
  const from = `conversations c where c.user_id = $1${ofAgent} and ${conditions[filter]} and ${isLiveConversation('c')}`;
  const name = `conversations_${filter}_${owned}`;
  const list = orderedList<Conversation>({
    name,
    columns: conversationColumns,
    from,
    valueCount: owned === 'agent' ? 2 : 1,
    ...byUse,
  });
  return { list, count: { name: `${name}_count`, text: `select count(*) as total from ${from}` } };
};
const listsOf = (filter: keyof typeof conditions) => ({ all: listOf(filter, 'all'), agent: listOf(filter, 'agent') });
const lists = {
  all: listsOf('all'),
  open: listsOf('open'),
  pinned: listsOf('pinned'),
  archived: listsOf('archived'),
};

/**
 * Lists the caller's conversations, most recently used first.
 * @throws AppError `invalid_request`; `not_found` for an agent that the caller may not use
 */
export const listConversations = onReplica(async (ctx: Ctx, input: unknown): Promise<Page<Conversation>> => {
  const { agentId, filter, ...request } = parseInput(listConversationsInput, input);
  const userId = callerId(ctx);
  const { list, count } = lists[filter ?? 'all'][agentId ? 'agent' : 'all'];
  const values = agentId ? [userId, agentId] : [userId];
  const page = await withTotal(ctx, readSlice(ctx, list, values, request), request, count, values);
  // Checks the agent only if the list is empty: conversations with an agent that is now private can still be listed.
  const hasNone = page.total === null ? page.data.length === 0 && !request.after : page.total === 0;
  if (agentId && hasNone) await getAgent(ctx, agentId);
  return page;
});

const update = {
  name: 'conversation_update',
  text: `
    update conversations c set title = case when $7::boolean then $3 else title end,
      pinned_at = case when $4::boolean is null then pinned_at when $4 then coalesce(pinned_at, $6) end,
      archived_at = case when $5::boolean is null then archived_at when $5 then coalesce(archived_at, $6) end
    where c.id = $1 and c.user_id = $2 and ${isLiveConversation('c')}
    returning ${conversationColumns}`,
};

/**
 * Sets or clears the title, pins or archives a conversation. Omitted fields do not change.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function updateConversation(ctx: Ctx, id: string, input: unknown): Promise<Conversation> {
  const { title, pinned, archived } = parseInput(updateConversationInput, input);
  if (!isId('conv_', id)) throw notFound();
  const values = [id, callerId(ctx), title ?? null, pinned ?? null, archived ?? null, ctx.clock.now()];
  const [conversation] = await ctx.sql<Conversation>(update, [...values, title !== undefined]);
  if (!conversation) throw notFound();
  wakeAccountReaders(ctx, conversation.userId);
  return conversation;
}

const markDeleted = {
  name: 'conversation_mark_deleted',
  text: `
    update conversations c set deleted_at = now(), event_sequence = event_sequence + 1
    where c.id = $1 and c.user_id = $2 and ${isLiveConversation('c')}
    returning ${conversationColumns}`,
};
const cancelRunning = {
  name: 'generation_cancel',
  text: `delete from generations where conversation_id = $1 and user_id = $2 and state = 'running'`,
};

/**
 * Deletes a conversation with its messages: hides them immediately and enqueues their removal. Cancels a running reply.
 * Publishes `conversation.deleted`.
 * @throws AppError `not_found`
 */
export async function deleteConversation(ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> {
  if (!isId('conv_', id)) throw notFound();
  await inTransaction(ctx, async (tx) => {
    const [conversation] = await tx.sql<Conversation>(markDeleted, [id, callerId(tx)]);
    if (!conversation) throw notFound();
    await tx.sql(cancelRunning, [id, conversation.userId]);
    await enqueueTask(tx, 'conversation.remove', { conversationId: id }, { key: id, maxAttempts: 1_000 });
    const data = conversationEventData(conversation, conversation.eventSequence);
    await publish(tx, conversation.userId, 'conversation.deleted', data);
  });
  return { id, deleted: true };
}
