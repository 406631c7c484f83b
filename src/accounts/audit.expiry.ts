import { rowExpiry } from '../core/database/purge-in-batches.ts';

const keepMs = 365 * 24 * 3_600_000;

/**
 * Removes entries of the audit log after a year. Ids begin with a timestamp, so the oldest rows are the first ones of
 * the primary key and need no index by age.
 */
export const auditExpiry = rowExpiry({
  name: 'auditEvents',
  keepMs,
  statement: {
    name: 'purge_audit_events',
    text: `
      delete from audit_events where id in (
        select id from (select id, created_at from audit_events order by id limit $2) oldest where created_at <= $1)
      returning 1`,
  },
});
