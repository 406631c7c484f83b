import { ofAccountUnindexed } from '../core/database/of-account.ts';
import type { Ctx } from '../core/ctx.ts';
import { toWire } from '../core/wire.ts';
import { getConversation } from './conversations.ts';
import type { Message } from './messages/message.entity.ts';
import { messageColumns } from './messages/messages.ts';

export const exportFormats = ['markdown', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ConversationExport {
  /** File name. It consists of the id of the conversation, so it is safe in a header. */
  filename: string;
  contentType: string;
  /** The document in chunks, which are read from the database on demand. */
  content: AsyncGenerator<string, void, void>;
}

const pageSize = 500;
const listAfter = {
  name: 'conversation_document_messages',
  text: `
    select ${messageColumns} from messages m
    where m.conversation_id = $1 and ${ofAccountUnindexed('m.user_id', '$3')} and m.active and m.position > $2
    order by m.position limit ${pageSize}`,
};

/** Exports one of the caller's conversations as a document. Its length is unlimited. @throws AppError `not_found` */
export async function exportConversation(
  ctx: Ctx,
  conversationId: string,
  format: ExportFormat,
): Promise<ConversationExport> {
  const { id, userId, agentId, title, createdAt, updatedAt } = await getConversation(ctx, conversationId);
  const head = { id, agentId, title: title ?? null, createdAt, updatedAt };
  if (format === 'json') {
    return {
      filename: `${id}.json`,
      contentType: 'application/json; charset=utf-8',
      content: asJson(head, messagesOf(ctx, id, userId)),
    };
  }
  const content = asMarkdown(head.title ?? 'Conversation', messagesOf(ctx, id, userId));
  return { filename: `${id}.md`, contentType: 'text/markdown; charset=utf-8', content };
}

async function* messagesOf(ctx: Ctx, conversationId: string, userId: string): AsyncGenerator<Message, void, void> {
  for (let position = 0; ;) {
    const page = await ctx.sql<Message>(listAfter, [conversationId, position, userId]);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    position = last.position;
  }
}

async function* asJson(head: object, messages: AsyncIterable<Message>): AsyncGenerator<string, void, void> {
  yield `${JSON.stringify(toWire(head)).slice(0, -1)},"messages":[`;
  let separator = '';
  for await (const { id, role, content, broken, createdAt } of messages) {
    yield separator + JSON.stringify(toWire({ id, role, content, ...(broken && { broken }), createdAt }));
    separator = ',';
  }
  yield ']}\n';
}

async function* asMarkdown(title: string, messages: AsyncIterable<Message>): AsyncGenerator<string, void, void> {
  yield `# ${title.replace(/\s+/g, ' ')}\n`;
  for await (const { role, content, broken, createdAt } of messages) {
    yield `\n## ${role === 'user' ? 'You' : 'Agent'}, ${createdAt.toISOString()}\n\n${content}\n${broken ? '\n*This reply broke off.*\n' : ''}`;
  }
}
