import { callerId } from '../accounts/caller.ts';
import { getAgent } from '../agents/agents.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { newId } from '../core/ids.ts';
import { publish } from '../core/outbox.ts';
import { Conversation } from './conversation.entity.ts';
import { conversationEventData } from './conversation.events.ts';
import type { MessageRole } from './messages/message.entity.ts';

interface Copied {
  agentId: string;
  title: string | null;
  messages: readonly { role: MessageRole; content: string }[];
}

const insertMessages = {
  name: 'messages_copy',
  text: `
    insert into messages (id, conversation_id, user_id, position, role, content, created_at, parent_id)
    select m.id, $1, $2, m.position, m.role, m.content, $3, lag(m.id) over (order by m.position)
    from unnest($4::text[], $5::text[], $6::text[]) with ordinality as m (id, role, content, position)`,
};

/**
 * Creates a conversation of the caller that begins with these messages. They count neither towards the daily quota nor
 * towards the activity of the agent. Publishes `conversation.created`.
 * @throws AppError `not_found` for an agent that the caller may not use
 */
export async function startWithMessages(ctx: Ctx, { agentId, title, messages }: Copied): Promise<Conversation> {
  const agent = await getAgent(ctx, agentId);
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const conversation = tx.em.create(Conversation, {
      id: newId('conv_'),
      userId: callerId(tx),
      agentId: agent.id,
      title,
      versionId: null,
      source: 'direct',
      messageCount: messages.length,
      lastPosition: messages.length,
      eventSequence: 1,
      createdAt: now,
      updatedAt: now,
      pinnedAt: null,
      archivedAt: null,
      deletedAt: null,
    });
    await tx.em.persist(conversation).flush();
    await tx.sql(insertMessages, [
      conversation.id,
      conversation.userId,
      now,
      messages.map(() => newId('msg_')),
      messages.map(({ role }) => role),
      messages.map(({ content }) => content),
    ]);
    await publish(tx, conversation.userId, 'conversation.created', conversationEventData(conversation, 1));
    return conversation;
  });
}
