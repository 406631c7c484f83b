import type { ExportSection } from '../core/feature.ts';

/** Section of a data export: integrations, without their bot tokens. */
export const integrationExport: ExportSection = {
  path: 'integrations.json',
  statement: {
    name: 'export_integrations',
    text: `
      select id, agent_id, platform, status, place, channel_ids, auto_respond, message_count, connected_at, created_at
      from integrations where owner_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
  },
};
