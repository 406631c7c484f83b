import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { AppError, notFound } from '../../core/errors.ts';
import { isId } from '../../core/ids.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { getConversation } from '../conversations.ts';
import { lockConversation } from '../lock-conversation.ts';
import type { MessageRole } from './message.entity.ts';

export interface BranchMessage {
  id: string;
  parentId: string | null;
  role: MessageRole;
  content: string;
  position: number;
  active: boolean;
}

const find = {
  name: 'branch_message',
  text: `
    select id, parent_id as "parentId", role, content, position, active from messages
    where id = $1 and conversation_id = $2 and user_id = $3`,
};

/** Returns a message of the conversation with its position in the branches; null when it is not in the conversation. */
export async function findBranchMessage(
  ctx: Ctx,
  conversationId: string,
  messageId: string,
): Promise<BranchMessage | null> {
  const [message] = isId('msg_', messageId)
    ? await ctx.sql<BranchMessage>(find, [messageId, conversationId, callerId(ctx)])
    : [];
  return message ?? null;
}

const deactivate = {
  name: 'branch_deactivate',
  text: `
    with summary as (delete from conversation_summaries where conversation_id = $1 and through_position >= $2)
    update messages set active = false where conversation_id = $1 and ${ofAccountUnindexed('user_id', '$3')} and position >= $2 and active`,
};

/**
 * Deactivates the messages from a position on and deletes a summary that covers them. The messages are kept as a
 * branch.
 */
export async function deactivateFrom(ctx: Ctx, conversationId: string, position: number): Promise<void> {
  await ctx.sql(deactivate, [conversationId, position, callerId(ctx)]);
}

// Walks up from the message to the active branch, and down along the newest replies.
const findPath = {
  name: 'branch_path',
  text: `
    with recursive up as (
      select id, parent_id, active, position from messages where id = $1 and conversation_id = $2 and user_id = $3
      union all
      select m.id, m.parent_id, m.active, m.position from messages m join up on m.id = up.parent_id
      where not up.active and m.user_id = $3
    ), down as (
      select id, position from up where id = $1
      union all
      select next.id, next.position from down cross join lateral (
        select m.id, m.position from messages m where m.parent_id = down.id and m.user_id = $3 order by m.position desc limit 1
      ) next
    )
    select (select max(position) from up where active) as "from", array(select id from up union select id from down) as ids`,
};
const activate = {
  name: 'branch_activate',
  text: `update messages set active = true where id = any ($1) and user_id = $2`,
};
const isRunning = {
  name: 'branch_is_running',
  text: `
    select 1 as running from generations
    where conversation_id = $1 and ${ofAccountUnindexed('user_id', '$2')} and state = 'running'`,
};

/**
 * Activates the branch of a message, down to its newest reply.
 * @throws AppError `not_found`, `generation_in_progress`
 */
export async function activateMessage(ctx: Ctx, conversationId: string, messageId: string): Promise<void> {
  const { userId } = await getConversation(ctx, conversationId);
  await inTransaction(ctx, async (tx) => {
    await lockConversation(tx, conversationId);
    const message = await findBranchMessage(tx, conversationId, messageId);
    if (!message) throw notFound();
    if (message.active) return;
    if ((await tx.sql(isRunning, [conversationId, userId])).length > 0) throw new AppError('generation_in_progress');
    const [path] = await tx.sql<{ from: number | null; ids: string[] }>(findPath, [messageId, conversationId, userId]);
    await deactivateFrom(tx, conversationId, (path?.from ?? 0) + 1);
    await tx.sql(activate, [path?.ids ?? [], userId]);
  });
}

const listSiblings = {
  name: 'branch_siblings',
  text: `
    select s.id as of, m.id from messages s join messages m
      on m.conversation_id = s.conversation_id and ${ofAccountUnindexed('m.user_id', 's.user_id')} and m.role = s.role
        and (m.parent_id = s.parent_id or (s.parent_id is null and m.parent_id is null))
    where s.id = any ($1) and s.user_id = $2
    order by m.position`,
};

/**
 * Lists the branches at each of the given messages of the caller, oldest first: messages with the same role and parent.
 * `of` is the given message.
 */
export const listBranches = (ctx: Ctx, messageIds: readonly string[]): Promise<{ of: string; id: string }[]> =>
  ctx.sql(listSiblings, [messageIds, callerId(ctx)]);
