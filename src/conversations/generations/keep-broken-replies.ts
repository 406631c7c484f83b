import { publish } from '../../core/outbox.ts';
import type { Ctx } from '../../core/ctx.ts';
import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import type { OwnedGeneration } from './generation-job.ts';

// The new reply is on the current branch unless a complete reply, or a message after an earlier broken one, is there.
const store = {
  name: 'generation_keep_broken',
  text: `
    with broken as (
      select g.conversation_id, g.user_id, g.user_message_id, g.assistant_message_id, g.partial_text, um.position as asked_at
      from unnest($1::text[], $2::text[]) as k (id, user_id)
      join generations g on g.id = k.id and g.user_id = k.user_id
      join messages um on um.id = g.user_message_id and um.user_id = g.user_id
      where g.partial_text ~ '\\S'
    ), placed as (
      update conversations c set last_position = c.last_position + 1, message_count = c.message_count + 1,
        event_sequence = c.event_sequence + 1, updated_at = $3
      from broken b where c.id = b.conversation_id and c.user_id = b.user_id
      returning c.id as conversation_id, c.user_id, c.agent_id, c.last_position, c.event_sequence, b.user_message_id,
        b.assistant_message_id, b.partial_text, b.asked_at
    ), decided as (
      select p.*, not exists (
        select from messages o where o.conversation_id = p.conversation_id and ${ofAccountUnindexed('o.user_id', 'p.user_id')}
          and o.active and o.position > p.asked_at and not (o.broken and o.parent_id = p.user_message_id)) as is_current
      from placed p
    ), replaced as (
      update messages m set active = false from decided d
      where m.conversation_id = d.conversation_id and ${ofAccountUnindexed('m.user_id', 'd.user_id')} and m.active
        and m.position > d.asked_at and d.is_current
    ), stored as (
      insert into messages (id, conversation_id, user_id, position, role, content, parent_id, active, broken, created_at)
      select assistant_message_id, conversation_id, user_id, last_position, 'assistant', partial_text, user_message_id,
        is_current, true, $3
      from decided
    )
    select conversation_id as "conversationId", user_id as "userId", agent_id as "agentId",
      assistant_message_id as "messageId", partial_text as content, event_sequence as sequence
    from decided`,
};

interface BrokenReply {
  conversationId: string;
  userId: string;
  agentId: string;
  messageId: string;
  content: string;
  sequence: number;
}

/**
 * Stores what the readers of failed generations were shown as messages that are marked as broken, and publishes
 * `message.created` for each. An earlier broken reply to the same message becomes another branch. Call it in the
 * transaction that ended the generations, once their partial text is stored. Returns the ids of the messages.
 */
export async function keepBrokenReplies(tx: Ctx, generations: readonly OwnedGeneration[]): Promise<string[]> {
  const ids = [generations.map(({ id }) => id), generations.map(({ userId }) => userId)];
  const stored = await tx.sql<BrokenReply>(store, [...ids, tx.clock.now()]);
  for (const { userId, ...reply } of stored)
    await publish(tx, userId, 'message.created', { ...reply, role: 'assistant', broken: true });
  return stored.map(({ messageId }) => messageId);
}
