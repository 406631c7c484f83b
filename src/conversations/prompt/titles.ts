import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import type { Ctx } from '../../core/ctx.ts';
import { wakeAccountReaders } from '../../core/outbox.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { completeText } from './complete-text.ts';
import type { ChatTurn } from './language-model.ports.ts';
import { titlePrompt } from './task-prompts.ts';
import { titleFrom } from './title-text.ts';

// Unanswered messages do not count, and neither does a greeting, because it has no parent.
const needsTitle = {
  name: 'conversation_needs_title',
  text: `
    select 1 as untitled from conversations c
    where c.id = $1 and c.title is null and (
      select count(*) from (
        select 1 from messages m
        where m.conversation_id = c.id and ${ofAccountUnindexed('m.user_id', 'c.user_id')} and m.role = 'assistant' and m.parent_id is not null
          and not m.broken limit 2
      ) replies) = 1`,
};

/** Returns the condition that the conversation with this alias will need a title once its first reply is stored. */
export const awaitsTitle = (alias: string): string => `(${alias}.title is null and not exists (
  select 1 from messages m where m.conversation_id = ${alias}.id and ${ofAccountUnindexed('m.user_id', `${alias}.user_id`)} and m.role = 'assistant'
    and m.parent_id is not null and not m.broken))`;

/** Enqueues a title after the first reply in a conversation. Call it in the transaction that stores a reply. */
export async function requestTitle(ctx: Ctx, conversationId: string): Promise<void> {
  const untitled = await ctx.sql(needsTitle, [conversationId]);
  if (untitled.length > 0) await enqueueTask(ctx, 'conversation.title', { conversationId }, { key: conversationId });
}

const readExchange = {
  name: 'title_exchange',
  text: `
    select m.role, m.content from conversations c
    join messages m on m.conversation_id = c.id and ${ofAccountUnindexed('m.user_id', 'c.user_id')}
    where c.id = $1 and c.title is null and m.active order by m.position limit 6`,
};
const setTitle = {
  name: 'title_set',
  text: `update conversations set title = $2 where id = $1 and title is null returning user_id as "userId"`,
};

/**
 * Generates the title of a conversation from its first exchange, unless it has one by then.
 * @throws what the model throws
 */
export async function writeTitle(ctx: Ctx, conversationId: string, signal: AbortSignal): Promise<void> {
  const turns = await ctx.sql<ChatTurn>(readExchange, [conversationId]);
  if (turns.length === 0) return;
  const question = turns.find(({ role }) => role === 'user')?.content ?? '';
  const title = titleFrom(await completeText(ctx, 'fast', titlePrompt(turns), signal), question);
  if (!title) return;
  const [titled] = await ctx.sql<{ userId: string }>(setTitle, [conversationId, title]);
  if (titled) wakeAccountReaders(ctx, titled.userId);
}
