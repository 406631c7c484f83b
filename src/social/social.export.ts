import type { ExportSection } from '../core/feature.ts';

const pairs = (path: string, table: string, of: string, to: string): ExportSection => {
  const statement = {
    name: `export_${table}`,
    text: `
      select ${to}, created_at, ${to} as id from ${table}
      where ${of} = $1 and (created_at, ${to}) > ($2, $3) order by created_at, ${to} limit $4`,
  };
  return { path, statement };
};

/** The profile, relations, shares and activities of an account in a data export. */
export const socialExport: readonly ExportSection[] = [
  {
    path: 'public_profile.json',
    statement: {
      name: 'export_public_profile',
      text: `
        select user_id as id, banner_id, visibility, show_following, show_mature, follower_count, following_count, created_at
        from profiles where user_id = $1 and (created_at, user_id) > ($2, $3) order by created_at, user_id limit $4`,
    },
  },
  pairs('follows.json', 'follows', 'follower_id', 'followee_id'),
  pairs('likes.json', 'likes', 'user_id', 'agent_id'),
  pairs('blocks.json', 'blocks', 'blocker_id', 'blocked_id'),
  pairs('mutes.json', 'mutes', 'muter_id', 'muted_id'),
  {
    path: 'shares.json',
    // A share has up to a million characters.
    pageSize: 5,
    statement: {
      name: 'export_shares',
      text: `
        select id, type, agent_id, conversation_id, title, note, anonymous, in_feed, indexable, message_count, view_count,
          snapshot as messages, revoked_at, removed_at, created_at
        from shares where owner_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
    },
  },
  {
    path: 'activities.json',
    statement: {
      name: 'export_activities',
      text: `
        select id, type, agent_id, share_id, created_at from activities
        where actor_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
    },
  },
];
