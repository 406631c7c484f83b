import { callerId } from '../accounts/caller.ts';
import type { AgentDeletionStep, AgentRemovalStep } from '../agents/agent.ports.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { notFound } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { enqueueTask } from '../core/tasks/tasks.ts';
import type { TaskRun } from '../core/tasks/task-handler.ts';
import { eraseVisitor } from './visitors/forget-visitor.ts';

const batchSize = 50;

const markDeleted = {
  name: 'embed_mark_deleted',
  text: `
    update embeds set deleted_at = now(), active = false where id = $1 and owner_id = $2 and deleted_at is null
    returning id`,
};

/**
 * Deletes an embed: it disappears from all websites immediately. A task removes its visitors and, unless
 * `keepConversations` is set, their conversations.
 * @throws AppError `not_found`
 */
export async function deleteEmbed(
  ctx: Ctx,
  id: string,
  keepConversations = false,
): Promise<{ id: string; deleted: true }> {
  if (!isId('emb_', id)) throw notFound();
  await inTransaction(ctx, async (tx) => {
    const marked = await tx.sql(markDeleted, [id, callerId(tx)]);
    if (marked.length === 0) throw notFound();
    await enqueueTask(tx, 'embed.remove', { embedId: id, keepConversations }, { key: id, maxAttempts: 1_000 });
  });
  return { id, deleted: true };
}

const listVisitors = {
  name: 'embed_remove_visitors',
  text: `
    select v.id, e.owner_id as "ownerId" from embed_visitors v join embeds e on e.id = v.embed_id
    where v.embed_id = $1 limit ${batchSize}`,
};
const removeRow = { name: 'embed_remove', text: `delete from embeds where id = $1 and deleted_at is not null` };

/** Removes the visitors of a deleted embed in batches, and then its row. */
export async function removeEmbed(ctx: Ctx, embedId: string, keepsConversations: boolean, run: TaskRun): Promise<void> {
  for (;;) {
    const visitors = await ctx.sql<{ id: string; ownerId: string }>(listVisitors, [embedId]);
    for (const { id, ownerId } of visitors) await eraseVisitor(ctx, { id, ownerId, keepsConversations });
    if (visitors.length < batchSize) break;
    await run.heartbeat();
  }
  await ctx.sql(removeRow, [embedId]);
}

const markOfAgent = {
  name: 'embeds_mark_deleted_of_agent',
  text: `update embeds set deleted_at = now(), active = false where agent_id = $1 and deleted_at is null`,
};
const listOfAgent = { name: 'embeds_of_agent', text: `select id from embeds where agent_id = $1 limit ${batchSize}` };

/** Disables the embeds of a deleted agent on all websites. */
export const endAgentEmbeds: AgentDeletionStep = async (tx, agentId) => void (await tx.sql(markOfAgent, [agentId]));

/** Removes the embeds of a deleted agent, whose conversations were removed before. */
export const removeAgentEmbeds: AgentRemovalStep = async (ctx, agentId, run) => {
  for (;;) {
    const embeds = await ctx.sql<{ id: string }>(listOfAgent, [agentId]);
    if (embeds.length === 0) return;
    for (const { id } of embeds) await removeEmbed(ctx, id, true, run);
  }
};
