import type { ExportSection } from '../core/feature.ts';

/** Section of a data export: agents. */
export const agentExport: ExportSection = {
  path: 'agents.json',
  statement: {
    name: 'export_agents',
    text: `
      select id, name, description, instructions, model, avatar_url, is_public, category, greeting_message, voice_id,
        message_count, created_at, updated_at
      from agents where owner_id = $1 and deleted_at is null and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
  },
};

/** Section of a data export: versions of agents. */
export const agentVersionExport: ExportSection = {
  path: 'agent-versions.json',
  statement: {
    name: 'export_agent_versions',
    text: `
      select v.id, v.agent_id, v.number, v.instructions, v.model, v.greeting_message, v.voice_id, v.note, v.origin,
        v.id = a.live_version_id as is_live, v.created_at, v.published_at
      from agents a join agent_versions v on v.agent_id = a.id
      where a.owner_id = $1 and a.deleted_at is null and (v.created_at, v.id) > ($2, $3) order by v.created_at, v.id limit $4`,
  },
};
