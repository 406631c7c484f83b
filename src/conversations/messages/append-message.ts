import type { Citation } from '../../knowledge/retrieval/citations.ts';
import type { Ctx } from '../../core/ctx.ts';
import { newId } from '../../core/ids.ts';
import { publish } from '../../core/outbox.ts';
import { messageEventData } from '../conversation.events.ts';
import type { Message, MessageRole } from './message.entity.ts';

interface NewMessage {
  id?: string;
  conversationId: string;
  role: MessageRole;
  content: string;
  /** The chunks that a reply used. */
  citations?: readonly Citation[];
  /** Whether a reply ended at a length limit. */
  truncated?: boolean;
}

// One statement: takes the next position of the conversation, stores the message there and notes the agent's activity.
const append = {
  name: 'message_append',
  text: `
    with c as (
      update conversations set last_position = last_position + 1, message_count = message_count + 1,
        event_sequence = event_sequence + 1, updated_at = $5
      where id = $2
      returning id, user_id, agent_id, last_position, event_sequence
    ), m as (
      insert into messages (id, conversation_id, user_id, position, role, content, citations, truncated, created_at, parent_id)
      select $1, c.id, c.user_id, c.last_position, $3, $4, $6::jsonb, $7, $5, (
        select p.id from messages p where p.conversation_id = c.id and p.active order by p.position desc limit 1
      )
      from c
      returning parent_id
    ), v as (
      insert into agent_activity (agent_id, user_id, messages, created_at) select c.agent_id, c.user_id, 1, $5 from c
    )
    select user_id as "userId", agent_id as "agentId", last_position as position, event_sequence as sequence,
      m.parent_id as "parentId"
    from c, m`,
};

interface AppendedRow {
  userId: string;
  agentId: string;
  position: number;
  sequence: number;
  parentId: string | null;
}

/**
 * Stores a message as the conversation's newest and publishes `message.created`; `null` when the conversation is gone.
 * Call it inside a transaction.
 */
export async function appendMessage(
  ctx: Ctx,
  { id = newId('msg_'), conversationId, role, content, citations: used = [], truncated = false }: NewMessage,
): Promise<Message | null> {
  const createdAt = ctx.clock.now();
  const citations = used.length > 0 ? [...used] : null;
  const values = [id, conversationId, role, content, createdAt, citations && JSON.stringify(citations), truncated];
  const [row] = await ctx.sql<AppendedRow>(append, values);
  if (!row) return null;
  const { agentId, sequence, ...stored } = row;
  const message: Message = {
    id,
    conversationId,
    ...stored,
    role,
    content,
    citations,
    truncated,
    active: true,
    createdAt,
  };
  await publish(ctx, row.userId, 'message.created', messageEventData(message, agentId, sequence));
  return message;
}
