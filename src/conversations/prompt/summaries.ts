import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import type { Ctx } from '../../core/ctx.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { completeText } from './complete-text.ts';
import type { ChatTurn } from './language-model.ports.ts';
import { lockConversation } from '../lock-conversation.ts';
import { summaryPrompt } from './task-prompts.ts';

/** Number of newest turns that are always sent unchanged. */
const kept = 40;
/** Number of older turns that triggers a summary. */
const summarizeAt = 40;
/** Number of turns that one model call summarizes. */
const batch = 60;

const maxLength = 8_000;

const countUnsummarized = {
  name: 'summary_unsummarized',
  text: `
    select count(*) as turns from (
      select 1 from messages m where m.conversation_id = $1 and ${ofAccountUnindexed('m.user_id', '$2')} and m.active
        and m.position > coalesce((select through_position from conversation_summaries where conversation_id = $1), 0)
      limit ${kept + summarizeAt}
    ) t`,
};

/**
 * Returns whether a summary may be due once a reply is stored. `turns` is the number of unsummarized turns before the
 * message that the reply answers.
 */
export const mayNeedSummary = (turns: number): boolean => turns + 2 >= kept + summarizeAt;

/** Enqueues a summary once enough turns are beyond the window. Call it in the transaction that stores a reply. */
export async function requestSummary(
  ctx: Ctx,
  { conversationId, userId }: { conversationId: string; userId: string },
): Promise<void> {
  const [row] = await ctx.sql<{ turns: number }>(countUnsummarized, [conversationId, userId]);
  if ((row?.turns ?? 0) < kept + summarizeAt) return;
  await enqueueTask(ctx, 'conversation.summary', { conversationId }, { key: conversationId });
}

const readSummary = {
  name: 'summary_read',
  text: `
    select c.user_id as "userId", s.content, coalesce(s.through_position, 0) as "throughPosition"
    from conversations c left join conversation_summaries s on s.conversation_id = c.id where c.id = $1`,
};
interface Summary {
  userId: string;
  /** Null while there is no summary. */
  content: string | null;
  throughPosition: number;
}
const readUnsummarized = {
  name: 'summary_turns',
  text: `
    select role, content, position from messages m
    where m.conversation_id = $1 and ${ofAccountUnindexed('m.user_id', '$3')} and m.active and m.position > $2
      and m.position < coalesce((
        select min(position) from (
          select position from messages k where k.conversation_id = $1 and ${ofAccountUnindexed('k.user_id', '$3')} and k.active
          order by position desc limit ${kept}
        ) newest), 0)
    order by m.position limit ${batch}`,
};
const saveSummary = {
  name: 'summary_save',
  text: `
    insert into conversation_summaries as s (conversation_id, content, through_position, updated_at)
    select $1, $2, $3, $4 where exists (
      select 1 from messages where conversation_id = $1 and ${ofAccountUnindexed('user_id', '$6')} and position = $3 and active)
    on conflict (conversation_id) do update set content = $2, through_position = $3, updated_at = $4
      where s.through_position = $5`,
};

/**
 * Adds the turns beyond the window to the summary of the conversation, batch by batch. If another branch is activated
 * meanwhile, the summary of the old branch is not stored.
 * @throws what the model throws
 */
export async function updateSummary(ctx: Ctx, conversationId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const [summary] = await ctx.sql<Summary>(readSummary, [conversationId]);
    if (!summary) return;
    const { userId, throughPosition: through } = summary;
    const turns = await ctx.sql<ChatTurn & { position: number }>(readUnsummarized, [conversationId, through, userId]);
    const last = turns.at(-1);
    if (!last) return;
    const text = await completeText(ctx, 'fast', summaryPrompt(turns, summary.content), signal);
    const content = text.trim().slice(0, maxLength).toWellFormed();
    if (!content) return;
    await inTransaction(ctx, async (tx) => {
      await lockConversation(tx, conversationId);
      await tx.sql(saveSummary, [conversationId, content, last.position, tx.clock.now(), through, userId]);
    });
    if (turns.length < batch) return;
  }
}
