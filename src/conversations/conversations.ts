import { callerId } from '../accounts/caller.ts';
import { getAgent } from '../agents/agents.ts';
import type { Ctx } from '../core/ctx.ts';
import { notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { publish } from '../core/outbox.ts';
import { orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { enqueueTask } from '../core/tasks.ts';
import { inTransaction } from '../core/transaction.ts';
import { appendMessage } from './append-message.ts';
import { Conversation } from './conversation.entity.ts';
import { conversationEventData } from './conversation.events.ts';
import { createConversationInput, listConversationsInput, renameConversationInput } from './conversation.input.ts';

const greetingDelayMs = 1_000;

/**
 * A new conversation with an agent that the caller may use. A greeting that the agent has is stored with it; else a task
 * writes one about a second later. Publishes `conversation.created`. @throws AppError `invalid_request`, `not_found`
 */
export async function createConversation(ctx: Ctx, input: unknown): Promise<Conversation> {
  const { agentId, title } = parseInput(createConversationInput, input);
  const agent = await getAgent(ctx, agentId);
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const conversation = tx.em.create(Conversation, {
      id: newId('conversation'),
      userId: callerId(tx),
      agentId: agent.id,
      title: title ?? null,
      messageCount: 0,
      lastPosition: 0,
      eventSequence: 1,
      createdAt: now,
      updatedAt: now,
    });
    await tx.em.persist(conversation).flush();
    await publish(tx, conversation.userId, 'conversation.created', conversationEventData(conversation, 1));
    if (agent.greetingMessage) {
      await appendMessage(tx, { conversationId: conversation.id, role: 'assistant', content: agent.greetingMessage });
    } else {
      const runAt = new Date(now.getTime() + greetingDelayMs);
      await enqueueTask(
        tx,
        'conversation.greeting',
        { conversationId: conversation.id },
        { runAt, key: conversation.id },
      );
    }
    return conversation;
  });
}

const conversationColumns = `
  c.id, c.user_id as "userId", c.agent_id as "agentId", c.title, c.message_count as "messageCount",
  c.last_position as "lastPosition", c.event_sequence as "eventSequence", c.created_at as "createdAt", c.updated_at as "updatedAt"`;

const selectConversation = {
  name: 'conversation_get',
  text: `select ${conversationColumns} from conversations c where c.id = $1 and c.user_id = $2`,
};

/** One of the caller's conversations. @throws AppError `not_found` */
export async function getConversation(ctx: Ctx, id: string): Promise<Conversation> {
  const [conversation] = isId('conversation', id)
    ? await ctx.sql<Conversation>(selectConversation, [id, callerId(ctx)])
    : [];
  if (!conversation) throw notFound();
  return conversation;
}

const byUse = {
  key: { column: 'c.updated_at', kind: 'time', of: (conversation: Conversation) => conversation.updatedAt },
  id: { column: 'c.id', of: (conversation: Conversation) => conversation.id },
} as const;
const listAll = orderedList<Conversation>({
  name: 'conversations_list',
  columns: conversationColumns,
  from: 'conversations c where c.user_id = $1',
  valueCount: 1,
  ...byUse,
});
const countAll = {
  name: 'conversations_count',
  text: `select count(*) as total from conversations where user_id = $1`,
};
const listOfAgent = orderedList<Conversation>({
  name: 'conversations_list_agent',
  columns: conversationColumns,
  from: 'conversations c where c.user_id = $1 and c.agent_id = $2',
  valueCount: 2,
  ...byUse,
});
const countOfAgent = {
  name: 'conversations_count_agent',
  text: `select count(*) as total from conversations where user_id = $1 and agent_id = $2`,
};

/** The caller's conversations, last used first. @throws AppError `invalid_request`, `not_found` for an agent that is not to be had */
export async function listConversations(ctx: Ctx, input: unknown): Promise<Page<Conversation>> {
  const { agentId, ...request } = parseInput(listConversationsInput, input);
  const userId = callerId(ctx);
  const [list, count] = agentId ? [listOfAgent, countOfAgent] : [listAll, countAll];
  const values = agentId ? [userId, agentId] : [userId];
  const page = await withTotal(ctx, readSlice(ctx, list, values, request), request, count, values);
  // Conversations with an agent that has turned private since can still be listed.
  const hasNone = page.total === null ? page.data.length === 0 && !request.after : page.total === 0;
  if (agentId && hasNone) await getAgent(ctx, agentId);
  return page;
}

const setTitle = {
  name: 'conversation_rename',
  text: `update conversations c set title = $3 where c.id = $1 and c.user_id = $2 returning ${conversationColumns}`,
};

/** Sets the title. @throws AppError `invalid_request`, `not_found` */
export async function renameConversation(ctx: Ctx, id: string, input: unknown): Promise<Conversation> {
  const { title } = parseInput(renameConversationInput, input);
  if (!isId('conversation', id)) throw notFound();
  const [conversation] = await ctx.sql<Conversation>(setTitle, [id, callerId(ctx), title]);
  if (!conversation) throw notFound();
  return conversation;
}

const removeConversation = {
  name: 'conversation_delete',
  text: `delete from conversations c where c.id = $1 and c.user_id = $2 returning ${conversationColumns}`,
};

/** Deletes a conversation with its messages; a reply that is being written ends. Publishes `conversation.deleted`. @throws AppError `not_found` */
export async function deleteConversation(ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> {
  if (!isId('conversation', id)) throw notFound();
  await inTransaction(ctx, async (tx) => {
    const [conversation] = await tx.sql<Conversation>(removeConversation, [id, callerId(tx)]);
    if (!conversation) throw notFound();
    const data = conversationEventData(conversation, conversation.eventSequence + 1);
    await publish(tx, conversation.userId, 'conversation.deleted', data);
  });
  return { id, deleted: true };
}
