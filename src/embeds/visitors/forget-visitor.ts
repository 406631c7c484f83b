import { deleteConversation } from '../../conversations/conversations.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { asOwner } from '../as-owner.ts';
import { getEmbed } from '../embeds.ts';

const mark = {
  name: 'embed_visitor_forget',
  text: `
    with ended as (delete from embed_sessions where visitor_id = $1)
    update embed_visitors set forgotten_at = now(), external_id = null, name = null, conversation_id = null
    where id = $1 and forgotten_at is null returning id`,
};

/**
 * Ends all sessions of a visitor and enqueues the erasure of the visitor and all their conversations; a no-op if that
 * was done before.
 */
export async function forgetVisitor(ctx: Ctx, visitorId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const marked = await tx.sql(mark, [visitorId]);
    if (marked.length === 0) return;
    await enqueueTask(tx, 'embed.forget', { visitorId }, { key: visitorId, maxAttempts: 1_000 });
  });
}

const find = {
  name: 'embed_visitor_of',
  text: `select 1 as found from embed_visitors where id = $1 and embed_id = $2 and forgotten_at is null`,
};

/** Erases a visitor of one of the caller's embeds, with all their conversations. @throws AppError `not_found` */
export async function deleteEmbedVisitor(
  ctx: Ctx,
  embedId: string,
  visitorId: string,
): Promise<{ id: string; deleted: true }> {
  const embed = await getEmbed(ctx, embedId);
  const found = isId('vis_', visitorId) ? await ctx.sql(find, [visitorId, embed.id]) : [];
  if (found.length === 0) throw notFound();
  await forgetVisitor(ctx, visitorId);
  return { id: visitorId, deleted: true };
}

const findOwner = {
  name: 'embed_visitor_owner',
  text: `select e.owner_id as "ownerId" from embed_visitors v join embeds e on e.id = v.embed_id where v.id = $1`,
};

/** Erases a visitor who was marked for erasure. */
export async function eraseForgotten(ctx: Ctx, id: string): Promise<void> {
  const [owner] = await ctx.sql<{ ownerId: string }>(findOwner, [id]);
  if (owner) await eraseVisitor(ctx, { id, ownerId: owner.ownerId, keepsConversations: false });
}

const batchSize = 50;

const listConversations = {
  name: 'embed_visitor_conversations',
  text: `
    select conversation_id as id from embed_conversations where visitor_id = $1 and conversation_id > $2
    order by conversation_id limit ${batchSize}`,
};
const remove = { name: 'embed_visitor_remove', text: `delete from embed_visitors where id = $1` };

/** Removes a visitor and, unless the owner keeps them, first their conversations. Safe to repeat after a crash. */
export async function eraseVisitor(
  ctx: Ctx,
  { id, ownerId, keepsConversations }: { id: string; ownerId: string; keepsConversations: boolean },
): Promise<void> {
  const owner = asOwner(ctx, ownerId, 'free');
  for (let after = '', full = !keepsConversations; full;) {
    const page = await ctx.sql<{ id: string }>(listConversations, [id, after]);
    for (const conversation of page) await deleteIfKept(owner, conversation.id);
    full = page.length === batchSize;
    after = page.at(-1)?.id ?? after;
  }
  await ctx.sql(remove, [id]);
}

/** Deletes a conversation; a no-op if it was deleted already, for example by an earlier attempt. */
async function deleteIfKept(owner: Ctx, conversationId: string): Promise<void> {
  try {
    await deleteConversation(owner, conversationId);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
  }
}
