import type { ExportSection } from '../core/feature.ts';

/** Section of a data export: API keys with the fields that the list shows, never the hash. */
export const apiKeyExport: ExportSection = {
  path: 'api-keys.json',
  statement: {
    name: 'export_api_keys',
    text: `
      select id, name, key_hint, scopes, created_at, last_used_at, expires_at, revoked_at from api_keys
      where user_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
  },
};
