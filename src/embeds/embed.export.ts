import type { ExportSection } from '../core/feature.ts';

/** Sections of a data export: embeds, whose `per_day` is null for the default, and their visitors, without secrets and tokens. */
export const embedExport: readonly ExportSection[] = [
  {
    path: 'embeds.json',
    statement: {
      name: 'export_embeds',
      text: `
        select id, agent_id, name, active, allowed_origins, test, identity,
          nullif(per_day, default_per_day) as per_day, per_visitor_day, per_address_hour, challenge,
          challenge_site_key, appearance, retention_days, notice, created_at, updated_at
        from embeds where owner_id = $1 and deleted_at is null and (created_at, id) > ($2, $3)
        order by created_at, id limit $4`,
    },
  },
  {
    path: 'embed_visitors.json',
    statement: {
      name: 'export_embed_visitors',
      text: `
        select v.id, v.embed_id, v.external_id, v.name, v.created_at, v.last_seen_at, (
            select coalesce(jsonb_agg(c.conversation_id order by c.conversation_id), '[]'::jsonb)
            from embed_conversations c where c.visitor_id = v.id) as conversation_ids
        from embed_visitors v join embeds e on e.id = v.embed_id
        where e.owner_id = $1 and v.forgotten_at is null and (v.created_at, v.id) > ($2, $3)
        order by v.created_at, v.id limit $4`,
    },
  },
];
