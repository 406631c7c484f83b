import type { Ctx } from '../core/ctx.ts';
import { invalidField, notFound } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, readSlice, type Slice } from '../core/pagination.ts';
import { listMessagesInput } from './conversation.input.ts';
import { getConversation } from './conversations.ts';
import type { Message } from './message.entity.ts';

export const messageColumns = `
  m.id, m.conversation_id as "conversationId", m.user_id as "userId", m.position, m.role, m.content, m.citations,
  m.parent_id as "parentId", m.active, m.created_at as "createdAt"`;

const findPosition = {
  name: 'message_position',
  text: `select position from messages where id = $1 and conversation_id = $2`,
};
const position = { column: 'm.position', kind: 'integer', of: (message: Message) => message.position } as const;
const listNewest = orderedList<Message>({
  name: 'messages_list',
  columns: messageColumns,
  from: 'messages m where m.conversation_id = $1 and m.active',
  valueCount: 1,
  key: position,
});
const listBefore = orderedList<Message>({
  name: 'messages_list_before',
  columns: messageColumns,
  from: 'messages m where m.conversation_id = $1 and m.active and m.position < $2',
  valueCount: 2,
  key: position,
});

/**
 * Messages of one of the caller's conversations, newest first; with `before`, those older than that message, at the same
 * cost however deep. @throws AppError `invalid_request` (also for a `before` that is not in the conversation), `not_found`
 */
export async function listMessages(ctx: Ctx, conversationId: string, input: unknown): Promise<Slice<Message>> {
  const { before, ...page } = parseInput(listMessagesInput, input);
  await getConversation(ctx, conversationId);
  const end = before ? await positionOf(ctx, conversationId, before) : null;
  return end === null
    ? readSlice(ctx, listNewest, [conversationId], page)
    : readSlice(ctx, listBefore, [conversationId, end], page);
}

async function positionOf(ctx: Ctx, conversationId: string, messageId: string): Promise<number> {
  const [row] = await ctx.sql<{ position: number }>(findPosition, [messageId, conversationId]);
  if (!row) throw invalidField('before', 'unknown_message', 'before must be the id of a message of this conversation');
  return row.position;
}

const latestCount = 50;

const listLatest = {
  name: 'messages_latest',
  text: `
    select ${messageColumns} from unnest($1::text[]) as c (id)
    cross join lateral (
      select * from messages l where l.conversation_id = c.id and l.active order by l.position desc limit ${latestCount}
    ) m
    order by m.conversation_id, m.position`,
};

/** The newest 50 messages of each of the conversations, which the caller was let see, oldest first. */
export const latestMessagesOf = (ctx: Ctx, conversationIds: readonly string[]): Promise<Message[]> =>
  ctx.sql<Message>(listLatest, [conversationIds]);

const selectMessage = {
  name: 'message_of_conversation',
  text: `select ${messageColumns} from messages m where m.id = $1 and m.conversation_id = $2`,
};

/** A message of a conversation that the caller was let see. @throws AppError `not_found` */
export async function getMessage(ctx: Ctx, conversationId: string, id: string): Promise<Message> {
  const [message] = isId('message', id) ? await ctx.sql<Message>(selectMessage, [id, conversationId]) : [];
  if (!message) throw notFound();
  return message;
}

const findMessage = { name: 'message_get', text: `select ${messageColumns} from messages m where m.id = $1` };

/** A message by its id, without asking whose it is; `null` when it is gone. */
export async function findMessageById(ctx: Ctx, id: string): Promise<Message | null> {
  const [message] = await ctx.sql<Message>(findMessage, [id]);
  return message ?? null;
}
