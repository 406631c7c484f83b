import type { ExportSection } from '../core/feature.ts';

/** Sections of a data export: the user's reports, and decisions that concern the user. */
export const moderationExport: readonly ExportSection[] = [
  {
    path: 'reports.json',
    statement: {
      name: 'export_reports',
      text: `
        select id, subject_type, subject_id, reason, comment, status, created_at, decided_at from moderation_reports
        where reporter_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
    },
  },
  {
    path: 'moderation-decisions.json',
    statement: {
      name: 'export_moderation_decisions',
      text: `
        select id, subject_type, subject_id, action, reason, statement, automated, appeal_text, appealed_at, appeal_outcome,
          appeal_decided_at, created_at
        from moderation_decisions where author_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
    },
  },
];
