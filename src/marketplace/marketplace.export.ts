import type { ExportSection } from '../core/feature.ts';

/** Sections of a data export: listings of the user's agents, their reviews, and their replies to reviews. */
export const marketplaceExport: readonly ExportSection[] = [
  {
    path: 'listings.json',
    statement: {
      name: 'export_listings',
      text: `
        select l.agent_id as id, l.slug, l.about, l.starters, l.tags, l.language, l.content_rating, l.banner_url, l.allow_copies,
          l.copied_from, l.created_at, l.updated_at
        from listings l join agents a on a.id = l.agent_id
        where a.owner_id = $1 and a.deleted_at is null and (l.created_at, l.agent_id) > ($2, $3)
        order by l.created_at, l.agent_id limit $4`,
    },
  },
  {
    path: 'reviews.json',
    statement: {
      name: 'export_reviews',
      text: `
        select id, agent_id, rating, text, owner_reply, moderation_state, created_at, updated_at from reviews
        where user_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
    },
  },
  {
    path: 'review-replies.json',
    statement: {
      name: 'export_review_replies',
      text: `
        select r.id, r.agent_id, r.owner_reply, r.created_at from reviews r join agents a on a.id = r.agent_id
        where a.owner_id = $1 and a.deleted_at is null and r.owner_reply is not null and (r.created_at, r.id) > ($2, $3)
        order by r.created_at, r.id limit $4`,
    },
  },
];
