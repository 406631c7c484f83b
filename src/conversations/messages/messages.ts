import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { cursorOf, readCursor } from '../../core/cursor.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import { invalidField, notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { orderedList, readSlice, type Slice } from '../../core/pagination.ts';
import { listMessagesInput } from '../conversation.input.ts';
import { getConversation } from '../conversations.ts';
import { Message, type MessageRole } from './message.entity.ts';
import { onReplica } from '../../core/database/replica.ts';

export const messageColumns = columnsOf(Message, 'm');

/**
 * Returns the SQL expression for the content of a message where nothing else marks a broken reply: in a prompt or a
 * copy.
 */
export const markedContent = (alias: string): string =>
  `case when ${alias}.broken then ${alias}.content || ' […]' else ${alias}.content end`;

const findPosition = {
  name: 'message_position',
  text: `select position from messages where id = $1 and conversation_id = $2 and user_id = $3`,
};
const position = { column: 'm.position', kind: 'integer', of: (message: Message) => message.position } as const;
const listNewest = orderedList<Message>({
  name: 'messages_list',
  columns: messageColumns,
  from: `messages m where m.conversation_id = $1 and ${ofAccountUnindexed('m.user_id', '$2')} and m.active`,
  valueCount: 2,
  key: position,
});
const listBefore = orderedList<Message>({
  name: 'messages_list_before',
  columns: messageColumns,
  from: `messages m where m.conversation_id = $1 and ${ofAccountUnindexed('m.user_id', '$2')} and m.active and m.position < $3`,
  valueCount: 3,
  key: position,
});

/**
 * A page of messages, newest first. `startCursor` is the cursor for newer messages and `endCursor` for older ones; both
 * are null for an empty page.
 */
export interface MessagePage extends Slice<Message> {
  startCursor: string | null;
  /** Whether no newer messages existed when the page was read. False does not imply that there are some. */
  isNewest: boolean;
}

/**
 * Lists messages of one of the caller's conversations, newest first: with `before`, those older than that message; with
 * `around`, those on both sides of it; with `newerThan`, those next to the `startCursor` of a page. The cost does not
 * grow with the depth.
 * @throws AppError `invalid_request` (also for a `before` that is not in the conversation), `not_found` (also for an
 * `around` that is not on the active branch of the conversation)
 */
export const listMessages = onReplica(
  async (ctx: Ctx, conversationId: string, input: unknown): Promise<MessagePage> => {
    const { before, around, newerThan, ...page } = parseInput(listMessagesInput, input);
    const { userId } = await getConversation(ctx, conversationId);
    if (around) return withStart(await readAround(ctx, conversationId, around, page.limit));
    if (newerThan) return withStart(await readNewer(ctx, conversationId, newerThan, page.limit));
    const end = before ? await positionOf(ctx, conversationId, before) : null;
    const isNewest = end === null && !page.after && !page.offset;
    return withStart(
      end === null
        ? await readSlice(ctx, listNewest, [conversationId, userId], page)
        : await readSlice(ctx, listBefore, [conversationId, userId, end], page),
      isNewest,
    );
  },
);

const cursorAt = (message: Message | undefined): string | null =>
  message ? cursorOf(listNewest.name, { key: message.position, id: '' }) : null;

const withStart = (slice: Slice<Message>, isNewest = false): MessagePage => ({
  ...slice,
  startCursor: cursorAt(slice.data[0]),
  isNewest,
});

// One additional older message shows whether there are more.
const listAround = {
  name: 'messages_around',
  text: `
    with middle as (
      select position from messages where id = $2 and conversation_id = $1 and user_id = $5 and active
    )
    select ${messageColumns} from (
      (select n.* from messages n, middle where n.conversation_id = $1 and ${ofAccountUnindexed('n.user_id', '$5')} and n.active
       and n.position >= middle.position order by n.position limit $3)
      union all
      (select o.* from messages o, middle where o.conversation_id = $1 and ${ofAccountUnindexed('o.user_id', '$5')} and o.active
       and o.position < middle.position order by o.position desc limit $4)
    ) m
    order by m.position desc`,
};

/**
 * Reads a page with the message in its middle. The page has fewer items than `limit` at the ends of the conversation.
 */
async function readAround(ctx: Ctx, conversationId: string, id: string, limit: number): Promise<Slice<Message>> {
  const newer = Math.floor((limit - 1) / 2);
  const older = limit - 1 - newer;
  const values = [conversationId, id, newer + 1, older + 1, callerId(ctx)];
  const rows = isId('msg_', id) ? await ctx.sql<Message>(listAround, values) : [];
  const index = rows.findIndex((message) => message.id === id);
  if (index < 0) throw notFound();
  const data = rows.slice(0, index + 1 + older);
  return { data, pageInfo: { hasNextPage: rows.length > data.length, endCursor: cursorAt(data.at(-1)) } };
}

const listNewer = {
  name: 'messages_newer',
  text: `
    select ${messageColumns} from messages m
    where m.conversation_id = $1 and ${ofAccountUnindexed('m.user_id', '$4')} and m.active and m.position > $2
    order by m.position limit $3`,
};

/** Reads the messages next to a cursor, on its newer side. */
async function readNewer(ctx: Ctx, conversationId: string, cursor: string, limit: number): Promise<Slice<Message>> {
  const rows = await ctx.sql<Message>(listNewer, [conversationId, positionIn(cursor), limit, callerId(ctx)]);
  const data = rows.toReversed();
  // The message of the cursor is older than all of these, so there is a next page.
  return { data, pageInfo: { hasNextPage: data.length > 0, endCursor: cursorAt(data.at(-1)) } };
}

const positionIn = (cursor: string): number =>
  readCursor(listNewest.name, 'integer', cursor, 'newerThan').key as number;

const findNewer = {
  name: 'message_has_newer',
  text: `select from messages where conversation_id = $1 and ${ofAccountUnindexed('user_id', '$3')} and active and position > $2 limit 1`,
};

/** Returns whether the active branch of one of the caller's conversations has messages newer than a cursor. */
export async function hasNewerMessages(ctx: Ctx, conversationId: string, cursor: string): Promise<boolean> {
  return (await ctx.sql(findNewer, [conversationId, positionIn(cursor), callerId(ctx)])).length > 0;
}

async function positionOf(ctx: Ctx, conversationId: string, messageId: string): Promise<number> {
  const [row] = await ctx.sql<{ position: number }>(findPosition, [messageId, conversationId, callerId(ctx)]);
  if (!row) throw invalidField('before', 'unknown_message', 'before must be the id of a message of this conversation');
  return row.position;
}

const latestCount = 50;

const listLatest = {
  name: 'messages_latest',
  text: `
    select ${messageColumns} from unnest($1::text[]) as c (id)
    cross join lateral (
      select * from messages l where l.conversation_id = c.id and ${ofAccountUnindexed('l.user_id', '$2')} and l.active
      order by l.position desc limit ${latestCount}
    ) m
    order by m.conversation_id, m.position`,
};

/** Lists the newest 50 messages of each of the given conversations of the caller, oldest first. */
export const latestMessagesOf = (ctx: Ctx, conversationIds: readonly string[]): Promise<Message[]> =>
  ctx.sql<Message>(listLatest, [conversationIds, callerId(ctx)]);

const selectMessage = {
  name: 'message_of_conversation',
  text: `select ${messageColumns} from messages m where m.id = $1 and m.conversation_id = $2 and m.user_id = $3`,
};

/** Returns a message of one of the caller's conversations. @throws AppError `not_found` */
export async function getMessage(ctx: Ctx, conversationId: string, id: string): Promise<Message> {
  const [message] = isId('msg_', id) ? await ctx.sql<Message>(selectMessage, [id, conversationId, callerId(ctx)]) : [];
  if (!message) throw notFound();
  return message;
}

const findMessage = {
  name: 'message_get',
  text: `select ${messageColumns} from messages m where m.id = $1 and m.user_id = $2`,
};

/** Returns a message of an account; null when it does not exist. Performs no authorization check. */
export async function findMessageById(ctx: Ctx, id: string, userId: string): Promise<Message | null> {
  const [message] = await ctx.sql<Message>(findMessage, [id, userId]);
  return message ?? null;
}

export interface LastMessage {
  conversationId: string;
  role: MessageRole;
  /** Beginning of the text. */
  excerpt: string;
  createdAt: Date;
}

const listLast = {
  name: 'messages_last',
  text: `
    select c.id as "conversationId", m.role, left(m.content, 200) as excerpt, m.created_at as "createdAt"
    from unnest($1::text[]) as c (id)
    cross join lateral (
      select * from messages l where l.conversation_id = c.id and ${ofAccountUnindexed('l.user_id', '$2')} and l.active
      order by l.position desc limit 1
    ) m`,
};

/** Returns the newest message of each of the given conversations of the caller. */
export const lastMessagesOf = (ctx: Ctx, conversationIds: readonly string[]): Promise<LastMessage[]> =>
  ctx.sql<LastMessage>(listLast, [conversationIds, callerId(ctx)]);
