import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import type { Citation } from '../../knowledge/retrieval/citations.ts';
import type { Ctx } from '../../core/ctx.ts';
import type { SqlValue } from '../../core/database/sql.ts';
import { sendSql } from '../../core/database/transaction.ts';
import { newId } from '../../core/ids.ts';
import { announceEvent, eventJson, withEvent } from '../../core/outbox.ts';
import { messageEventData } from '../conversation.events.ts';
import type { Message, MessageRole } from './message.entity.ts';

interface NewMessage {
  id?: string;
  conversationId: string;
  /** Owner of the conversation. */
  userId: string;
  agentId: string;
  role: MessageRole;
  content: string;
  /** Chunks that the reply used. */
  citations?: readonly Citation[];
  /** Whether the reply ended at a length limit. */
  truncated?: boolean;
}

const lastActive = `(
        select p.id from messages p where p.conversation_id = place.id and ${ofAccountUnindexed('p.user_id', 'place.user_id')} and p.active
        order by p.position desc limit 1
      )`;

/**
 * Returns common table expressions that assign the next position of a conversation, store the message of `newMessage`
 * ($1 to $9) there, record the activity of the agent and publish `message.created`. `cause` is the name of an earlier
 * expression: if it has no row, nothing is stored; otherwise the message follows its `user_message_id` instead of the
 * last active message.
 */
export const appended = (cause?: string): string => `
    place as (
      update conversations c set last_position = c.last_position + 1, message_count = c.message_count + 1,
        event_sequence = c.event_sequence + 1, updated_at = $5
      ${cause ? `from ${cause} ` : ''}where c.id = $2
      returning c.id, c.user_id, c.agent_id, c.last_position, c.event_sequence${cause ? `, ${cause}.user_message_id` : ''}
    ), message as (
      insert into messages (id, conversation_id, user_id, position, role, content, citations, truncated, created_at, parent_id)
      select $1, place.id, place.user_id, place.last_position, $3, $4, $6::jsonb, $7, $5,
        ${cause ? 'place.user_message_id' : lastActive}
      from place
      returning position, parent_id
    ), activity as (
      insert into agent_activity (agent_id, user_id, messages, created_at) select agent_id, user_id, 1, $5 from place
    ), ${withEvent({
      from: 'place',
      id: '$8',
      accountId: 'user_id',
      type: 'message.created',
      data: '$9',
      sequence: 'event_sequence',
      at: '$5',
    })}
    select position, parent_id as "parentId", exists (select from queued) as "isQueued" from message`;

export interface AppendedRow {
  position: number;
  parentId: string | null;
  /** Whether a webhook subscribes to the event. */
  isQueued: boolean;
}

/**
 * Prepares a message for storing. Returns the parameters $1 to $9 of its statement, and a function that returns the
 * stored message.
 */
export function newMessage(
  ctx: Ctx,
  { id = newId('msg_'), agentId, citations: used = [], truncated = false, ...given }: NewMessage,
): { values: SqlValue[]; stored: (row: AppendedRow) => Message } {
  const citations = used.length > 0 ? [...used] : null;
  const createdAt = ctx.clock.now();
  const { conversationId, role, content } = given;
  const event = eventJson('message.created', messageEventData({ id, ...given }, agentId));
  const json = citations && JSON.stringify(citations);
  return {
    values: [id, conversationId, role, content, createdAt, json, truncated, newId('evt_'), event],
    stored: ({ position, parentId }) => ({
      id,
      ...given,
      position,
      parentId,
      citations,
      truncated,
      broken: false,
      active: true,
      createdAt,
    }),
  };
}

const append = { name: 'message_append', text: `with ${appended()}` };

/**
 * Stores a message as the newest one of the conversation and publishes `message.created`, without waiting for the
 * result: the transaction fails if the statement fails. The caller holds the lock of the conversation or has just
 * created it.
 */
export async function sendAppend(tx: Ctx, message: NewMessage): Promise<void> {
  let isQueued = false;
  await sendSql(tx, append, newMessage(tx, message).values, ([row]) => {
    isQueued = (row as AppendedRow | undefined)?.isQueued === true;
  });
  announceEvent(tx, message.userId, () => isQueued);
}
