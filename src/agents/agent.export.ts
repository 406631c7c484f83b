import type { ExportSection } from '../accounts/export.ports.ts';

/** Agents in a data export. */
export const agentExport: ExportSection = {
  path: 'agents.json',
  statement: {
    name: 'export_agents',
    text: `
      select id, name, description, instructions, model, avatar_url, is_public, category, greeting_message, voice_id,
        message_count, created_at, updated_at
      from agents where owner_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
  },
};
