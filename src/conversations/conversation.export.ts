import { isLiveConversation, inLiveConversation } from './deleted.ts';
import type { ExportSection } from '../core/feature.ts';

/** Sections of a data export: conversations, their messages and the ratings of replies. */
export const conversationExport: readonly ExportSection[] = [
  {
    path: 'conversations.json',
    statement: {
      name: 'export_conversations',
      text: `
        select id, agent_id, title, message_count, pinned_at, archived_at, created_at, updated_at from conversations c
        where user_id = $1 and ${isLiveConversation('c')} and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
    },
  },
  {
    path: 'messages.json',
    // A reply has up to 200,000 characters.
    pageSize: 50,
    statement: {
      name: 'export_messages',
      text: `
        select id, conversation_id, position, role, content, broken, citations, created_at from messages m
        where user_id = $1 and ${inLiveConversation('m')} and created_at >= $2 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
    },
  },
  {
    path: 'feedback.json',
    statement: {
      name: 'export_feedback',
      text: `
        select f.message_id as id, f.rating, f.comment, f.shared_at, f.created_at
        from message_feedback f join messages m on m.id = f.message_id and m.user_id = f.user_id
        where f.user_id = $1 and ${inLiveConversation('m')} and f.created_at >= $2 and (f.created_at, f.message_id) > ($2, $3)
        order by f.created_at, f.message_id limit $4`,
    },
  },
];
