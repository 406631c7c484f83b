import { rowExpiry } from '../core/database/purge-in-batches.ts';
import type { Expiry, PurgeStep } from '../core/feature.ts';

const keepMs = 365 * 24 * 3_600_000;

// An undecided report is kept as long as its case is open.
const isDecided = `(status <> 'received' or not exists (
  select from moderation_cases c where c.id = moderation_reports.subject_type || ':' || moderation_reports.subject_id and c.is_open))`;
// Lifting a restriction needs the case that imposed it.
const isOver = `not is_open and not exists (select from moderation_restrictions r where r.case_id = moderation_cases.id)`;

const expiry = (name: string, table: string, age: string, condition = 'true'): Expiry =>
  rowExpiry({
    name,
    keepMs,
    statement: {
      name: `purge_${table}`,
      text: `
        delete from ${table} where id in (
          select id from ${table} where ${age} <= $1 and ${condition} order by ${age} limit $2)
        returning 1`,
    },
  });

/** Removes moderation data twelve months after the last action. */
export const moderationExpiries: readonly Expiry[] = [
  expiry(
    'moderationReports',
    'moderation_reports',
    'created_at',
    `coalesce(decided_at, created_at) <= $1 and ${isDecided}`,
  ),
  expiry('moderationDecisions', 'moderation_decisions', 'updated_at'),
  expiry('moderationCases', 'moderation_cases', 'updated_at', isOver),
];

const forgetSubject = (table: string) => ({
  name: `purge_subject_${table}`,
  text: `update ${table} set subject_id = 'purged' where subject_type = 'user' and subject_id = $1`,
});
const statements = ['moderation_reports', 'moderation_decisions'].map(forgetSubject);

/** Anonymizes an account's cases: foreign keys clear its ids, and this step clears the subject's. */
export const purgeModeration: PurgeStep = {
  name: 'moderation',
  async purge(ctx, userId) {
    for (const statement of statements) await ctx.sql(statement, [userId]);
    return {};
  },
};
