import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { AppError, notFound } from '../core/errors.ts';
import { networkOf } from '../core/http/network.ts';
import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { holdWhenReportedByMany } from './automatic-hold.ts';
import { openCase } from './cases.ts';
import { listInput, reportInput } from './moderation.input.ts';
import { Report } from './report.entity.ts';
import { kindOf, type Subject } from './subjects.ts';

const reportColumns = columnsOf(Report, 'r');

const findOwn = {
  name: 'moderation_report_of',
  text: `
    select ${reportColumns} from moderation_reports r where r.reporter_id = $1 and r.subject_type = $2 and r.subject_id = $3`,
};
const insert = {
  name: 'moderation_report_insert',
  text: `
    insert into moderation_reports (id, reporter_id, contact_email, subject_type, subject_id, reason, comment, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (reporter_id, subject_type, subject_id) where reporter_id is not null do nothing
    returning id`,
};

/**
 * Reports something that the caller can see; a credential is optional. If the account has already reported it, returns
 * the earlier report. Opens a case, and holds the subject once five established accounts have reported it within a day.
 * @throws AppError `invalid_request`, `not_found`, `rate_limited`
 */
export async function createReport(ctx: Ctx, input: unknown): Promise<{ report: Report; isNew: boolean }> {
  const fields = parseInput(reportInput, input);
  const { subjectType: type, reason, comment = null, contactEmail = null } = fields;
  await countReport(ctx);
  const found = await kindOf(ctx, type).find(ctx, fields.subjectId);
  if (!found) throw notFound();
  const subject: Subject = { type, ...found };
  const reporterId = ctx.actor.kind === 'user' ? ctx.actor.userId : null;
  return inTransaction(ctx, async (tx) => {
    const report: Report = {
      id: newId('rep_'),
      reporterId,
      contactEmail: reporterId === null ? contactEmail : null,
      subjectType: type,
      subjectId: subject.id,
      reason,
      comment,
      status: 'received',
      createdAt: tx.clock.now(),
      decidedAt: null,
    };
    const values = [report.id, reporterId, report.contactEmail ?? null, type, subject.id, reason, comment];
    if ((await tx.sql(insert, [...values, report.createdAt])).length === 0) {
      const [first] = await tx.sql<Report>(findOwn, [reporterId, type, subject.id]);
      return { report: first ?? report, isNew: false };
    }
    await openCase(tx, subject, { reports: 1, reporters: reporterId === null ? 0 : 1 });
    await holdWhenReportedByMany(tx, subject);
    return { report, isNew: true };
  });
}

const hourSeconds = 3_600;

/**
 * Counts a report against the limit of the account or, without a credential, of the network.
 * @throws AppError `rate_limited`
 */
async function countReport({ actor, config, ports }: Ctx): Promise<void> {
  if (actor.kind === 'system') return;
  const { reportsPerHour, anonymousReportsPerHour } = config.rateLimits;
  const state = await (actor.kind === 'user'
    ? ports.rateLimits.consume(`reports:${actor.userId}`, reportsPerHour, hourSeconds)
    : ports.rateLimits.consume(`reports:${networkOf(actor.ip ?? '')}`, anonymousReportsPerHour, hourSeconds));
  const { retryAfterSeconds } = state;
  if (retryAfterSeconds !== null) throw new AppError('rate_limited', { retryAfterSeconds });
}

const from = 'moderation_reports r where r.reporter_id = $1';
const newestFirst = orderedList<Report>({
  name: 'moderation_reports_list',
  columns: reportColumns,
  from,
  valueCount: 1,
  key: { column: 'r.created_at', kind: 'time', of: ({ createdAt }) => createdAt },
  id: { column: 'r.id', of: ({ id }) => id },
});
const countOwn = { name: 'moderation_reports_count', text: `select count(*) as total from ${from}` };

/**
 * Lists the caller's reports with their outcomes, newest first.
 * @throws AppError `invalid_request`
 */
export async function listReports(ctx: Ctx, input: unknown): Promise<Page<Report>> {
  const page = parseInput(listInput, input);
  const values = [callerId(ctx)];
  return withTotal(ctx, readSlice(ctx, newestFirst, values, page), page, countOwn, values);
}
