import type { ExportSection } from '../accounts/export.ports.ts';

/** Conversations and their messages in a data export. */
export const conversationExport: readonly ExportSection[] = [
  {
    path: 'conversations.json',
    statement: {
      name: 'export_conversations',
      text: `
        select id, agent_id, title, message_count, created_at, updated_at from conversations
        where user_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
    },
  },
  {
    path: 'messages.json',
    statement: {
      name: 'export_messages',
      text: `
        select id, conversation_id, position, role, content, citations, created_at from messages
        where user_id = $1 and created_at >= $2 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
    },
  },
];
