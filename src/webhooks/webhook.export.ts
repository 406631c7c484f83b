import type { ExportSection } from '../core/feature.ts';

/** The webhooks in a data export, without their secrets. */
export const webhookExport: ExportSection = {
  path: 'webhooks.json',
  statement: {
    name: 'export_webhooks',
    text: `
      select id, url, description, events, active, disabled_reason, created_at, updated_at
      from webhooks where user_id = $1 and deleted_at is null and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
  },
};
