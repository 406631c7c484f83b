import { ofAccountUnindexed } from '../core/database/of-account.ts';
import type { Ctx } from '../core/ctx.ts';
import type { TaskRun } from '../core/tasks/task-handler.ts';

const batchSize = 1_000;

// Generations, their checkpoints and feedback are removed by cascade.
const removeMessages = {
  name: 'conversation_remove_messages',
  text: `
    with account as (select user_id from conversations where id = $1)
    delete from messages where user_id = (select user_id from account) and ctid = any (array(
      select ctid from messages
      where conversation_id = $1 and ${ofAccountUnindexed('user_id', '(select user_id from account)')} limit ${batchSize})) returning 1`,
};
const removeRow = { name: 'conversation_remove', text: `delete from conversations where id = $1` };

/** Removes a deleted conversation with its messages, in batches. Safe to repeat after a crash. */
export async function removeConversation(ctx: Ctx, id: string, run: TaskRun): Promise<void> {
  while ((await ctx.sql(removeMessages, [id])).length === batchSize) await run.heartbeat();
  await ctx.sql(removeRow, [id]);
}

const smallMessages = 50;

const removeSmall = {
  name: 'conversations_remove_small',
  text: `
    delete from conversations where id = any (
      array(select id from conversations where agent_id = $1 and message_count <= ${smallMessages} limit ${smallMessages}))
    returning 1`,
};
const listLarge = {
  name: 'conversations_of_deleted_agent',
  text: `select id from conversations where agent_id = $1 limit 100`,
};

/**
 * Removes the conversations of a deleted agent, including those of other users: small ones together, then large ones
 * one at a time.
 */
export async function removeAgentConversations(ctx: Ctx, agentId: string, run: TaskRun): Promise<void> {
  while ((await ctx.sql(removeSmall, [agentId])).length === smallMessages) await run.heartbeat();
  for (;;) {
    const large = await ctx.sql<{ id: string }>(listLarge, [agentId]);
    if (large.length === 0) return;
    for (const { id } of large) await removeConversation(ctx, id, run);
    await run.heartbeat();
  }
}

const cancelRunning = {
  name: 'generations_cancel_of_agent',
  text: `
    delete from generations g using conversations c
    where g.state = 'running' and c.id = g.conversation_id and c.user_id = g.user_id and c.agent_id = $1`,
};

/** Cancels the running replies of a deleted agent. Their instances end them when they find the rows gone. */
export async function cancelAgentReplies(tx: Ctx, agentId: string): Promise<void> {
  await tx.sql(cancelRunning, [agentId]);
}
