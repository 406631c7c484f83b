import type { AuditAction } from '../accounts/audit-actions.ts';
import { recordAudit } from '../accounts/audit.ts';
import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { notFound } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { type OrderedList, orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { Decision } from './decision.entity.ts';
import { type CaseState, casesInput, subjectId } from './moderation.input.ts';
import { ModerationCase } from './moderation-case.entity.ts';
import { Report } from './report.entity.ts';
import { caseIdOf, kindOf, type ReportableKind, type ShownSubject, type Subject } from './subjects.ts';

// Reopening a closed case resets its counters.
const kept = (column: string): string => `case when c.is_open then c.${column} else 0 end`;
const open = {
  name: 'moderation_case_open',
  text: `
    insert into moderation_cases as c (id, subject_type, subject_id, author_id, is_open, reporters, reports, marks, opened_at, updated_at)
    values ($1, $2, $3, $4, true, $5, $6, $7, $8, $8)
    on conflict (id) do update set is_open = true, reporters = ${kept('reporters')} + excluded.reporters,
      reports = ${kept('reports')} + excluded.reports,
      marks = array(select distinct m from unnest(case when c.is_open then c.marks else '{}' end || excluded.marks) m order by m),
      opened_at = case when c.is_open then c.opened_at else excluded.opened_at end, updated_at = excluded.updated_at`,
};

export interface Opening {
  /** Reasons besides reports. */
  marks?: readonly string[];
  /** Number of accounts and reports that this opening adds. */
  reporters?: number;
  reports?: number;
}

/** Opens the case of a subject, or updates the open one, and locks it until the transaction ends. */
export async function openCase(tx: Ctx, subject: Subject, opening: Opening): Promise<void> {
  const { marks = [], reporters = 0, reports = 0 } = opening;
  const { type, id, authorId } = subject;
  await tx.sql(open, [caseIdOf(subject), type, id, authorId, reporters, reports, marks, tx.clock.now()]);
}

const caseColumns = columnsOf(ModerationCase, 'c');

const ofCase = { columns: caseColumns, valueCount: 0, id: { column: 'c.id', of: ({ id }: ModerationCase) => id } };
const from = (condition: string): string => `moderation_cases c where ${condition}`;
const conditions: Readonly<Record<CaseState, string>> = {
  open: 'c.is_open',
  appealed: 'c.appealed_at is not null',
  closed: 'not c.is_open',
};
const lists: Readonly<Record<CaseState, OrderedList<ModerationCase>>> = {
  open: orderedList({
    ...ofCase,
    name: 'moderation_cases_list',
    from: from(conditions.open),
    key: { column: 'c.reporters', kind: 'integer', of: ({ reporters }) => reporters },
  }),
  appealed: orderedList({
    ...ofCase,
    name: 'moderation_cases_appealed',
    from: from(conditions.appealed),
    key: {
      column: 'c.appealed_at',
      kind: 'time',
      of: ({ appealedAt, updatedAt }) => appealedAt ?? updatedAt,
      ascends: true,
    },
  }),
  closed: orderedList({
    ...ofCase,
    name: 'moderation_cases_closed',
    from: from(conditions.closed),
    key: { column: 'c.updated_at', kind: 'time', of: ({ updatedAt }) => updatedAt },
  }),
};
const countOf = (state: CaseState) => ({
  name: `moderation_cases_count_${state}`,
  text: `select count(*) as total from (select from ${from(conditions[state])} limit 10000) c`,
});
const counts = { open: countOf('open'), appealed: countOf('appealed'), closed: countOf('closed') };

/**
 * Lists the cases of a state: open ones by most reporters, those with a pending appeal by longest wait, closed ones by
 * latest decision. For moderators only.
 * @throws AppError `invalid_request`
 */
export async function listCases(ctx: Ctx, input: unknown): Promise<Page<ModerationCase>> {
  const { state, ...page } = parseInput(casesInput, input);
  return withTotal(ctx, readSlice(ctx, lists[state], [], page), page, counts[state], []);
}

const findCase = {
  name: 'moderation_case_get',
  text: `select ${caseColumns} from moderation_cases c where c.id = $1`,
};
const newest = 100;
const findReports = {
  name: 'moderation_case_reports',
  text: `
    select ${columnsOf(Report, 'r')} from moderation_reports r where r.subject_type = $1 and r.subject_id = $2
    order by r.created_at desc, r.id desc limit ${newest}`,
};
const findDecisions = {
  name: 'moderation_case_decisions',
  text: `
    select ${columnsOf(Decision, 'd')} from moderation_decisions d where d.subject_type = $1 and d.subject_id = $2
    order by d.created_at desc, d.id desc limit ${newest}`,
};

export interface CaseFile {
  case: ModerationCase;
  /** Null once the subject is gone. */
  subject: ShownSubject | null;
  /** The newest hundred reports. */
  reports: Report[];
  decisions: Decision[];
}

type View = Extract<AuditAction, 'moderation.case_viewed' | 'moderation.picture_viewed'>;

/** Finds a case and records the access in the audit log. @throws AppError `not_found` */
async function viewCase(
  ctx: Ctx,
  type: string,
  id: string,
  action: View,
): Promise<{ kind: ReportableKind; found: ModerationCase }> {
  const kind = kindOf(ctx, type);
  if (!subjectId.safeParse(id).success) throw notFound();
  const caseId = caseIdOf({ type: kind.type, id });
  const [found] = await ctx.sql<ModerationCase>(findCase, [caseId]);
  if (!found) throw notFound();
  await recordAudit(ctx, callerId(ctx), action, caseId);
  return { kind, found };
}

/**
 * Returns the URL of the picture of a case's subject, for moderators; null if it has none. Every access is recorded in the
 * audit log. @throws AppError `not_found`
 */
export async function viewCasePicture(ctx: Ctx, type: string, id: string): Promise<string | null> {
  const { kind } = await viewCase(ctx, type, id, 'moderation.picture_viewed');
  return (await kind.show(ctx, id))?.imageUrl ?? null;
}

/**
 * Returns a case with its subject and records the access in the audit log. For moderators only.
 * @throws AppError `not_found`
 */
export async function getCase(ctx: Ctx, type: string, id: string): Promise<CaseFile> {
  const { kind, found } = await viewCase(ctx, type, id, 'moderation.case_viewed');
  const [subject, reports, decisions] = await Promise.all([
    kind.show(ctx, id),
    ctx.sql<Report>(findReports, [type, id]),
    ctx.sql<Decision>(findDecisions, [type, id]),
  ]);
  return { case: found, subject, reports, decisions };
}
