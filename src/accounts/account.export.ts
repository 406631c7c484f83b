import type { ExportSection } from '../core/feature.ts';

/** Sections of a data export for the account itself. */
export const accountExport: readonly ExportSection[] = [
  {
    path: 'profile.json',
    statement: {
      name: 'export_profile',
      text: `
        select id, email, username, display_name, avatar_url, bio, email_verified, plan, preferences, created_at, updated_at
        from users
        where id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
    },
  },
  {
    path: 'former-usernames.json',
    statement: {
      name: 'export_old_usernames',
      text: `
        select username as id, created_at, expires_at from old_usernames
        where user_id = $1 and (created_at, username) > ($2, $3) order by created_at, username limit $4`,
    },
  },
  {
    path: 'sessions.json',
    statement: {
      name: 'export_sessions',
      text: `
        select id, ip, user_agent, created_at, last_used_at, expires_at, revoked_at from sessions
        where user_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
    },
  },
  {
    path: 'audit-log.json',
    statement: {
      name: 'export_audit_log',
      text: `
        select id, action, subject, session_id, api_key_id, ip, created_at from audit_events
        where user_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
    },
  },
];
