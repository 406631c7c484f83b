import { recordAudit } from '../accounts/audit.ts';
import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { AppError, notFound } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { openCase } from './cases.ts';
import type { Decision } from './decision.entity.ts';
import { decideInput } from './moderation.input.ts';
import { recordDecision } from './record-decision.ts';
import { caseIdOf, kindOf, type ReportableKind, type Subject } from './subjects.ts';

const settleReports = {
  name: 'moderation_reports_settle',
  text: `
    update moderation_reports set status = $3, decided_at = $4 where subject_type = $1 and subject_id = $2 and status = 'received'`,
};
const settleAppeals = {
  name: 'moderation_appeals_settle',
  text: `
    update moderation_decisions set appeal_outcome = $3, appeal_decided_at = $4, updated_at = $4
    where subject_type = $1 and subject_id = $2 and appealed_at is not null and appeal_outcome is null`,
};
const close = {
  name: 'moderation_case_close',
  text: `update moderation_cases set is_open = false, appealed_at = null, updated_at = $2 where id = $1`,
};
const restrict = {
  name: 'moderation_restrict',
  text: `
    insert into moderation_restrictions (user_id, case_id, created_at) values ($1, $2, $3) on conflict (user_id, case_id) do nothing`,
};
const lift = { name: 'moderation_lift', text: `delete from moderation_restrictions where case_id = $1` };

// Finds a hold that no moderator has confirmed and whose author has not appealed.
const findAutomaticHold = {
  name: 'moderation_automatic_hold',
  text: `
    select 1 from (
      select automated, action, appealed_at from moderation_decisions
      where subject_type = $1 and subject_id = $2 and action <> 'restrict_author' order by created_at desc, id desc limit 1
    ) d where d.automated and d.action = 'hold' and d.appealed_at is null`,
};

const findAuthor = {
  name: 'moderation_case_author',
  text: `select author_id as "authorId" from moderation_cases where id = $1`,
};

/**
 * Decides on a subject: changes its visibility or its author's permissions, settles its reports and appeal, closes its
 * case, and notifies its author with the reason. `restore` approves a subject that waits for review and lifts a
 * restriction of its author; `none` ends an automatic hold, unless it answers an appeal. A subject that no longer
 * exists can be decided on while it has a case, so that an appeal against its removal gets an outcome. For moderators
 * only.
 * @throws AppError `invalid_request`, `not_found`, `conflict` for a subject without an author, and for a hold or
 * removal of a subject that no longer exists
 */
export async function decideModeration(ctx: Ctx, input: unknown): Promise<Decision> {
  const { subjectType: type, subjectId: id, action, reason, statement } = parseInput(decideInput, input);
  const kind = kindOf(ctx, type);
  return inTransaction(ctx, async (tx) => {
    const { isGone, ...subject } = await subjectOf(tx, kind, id);
    if (isGone && (action === 'hold' || action === 'remove'))
      throw new AppError('conflict', { message: 'This no longer exists, so it cannot be held or removed.' });
    const caseId = caseIdOf(subject);
    const now = tx.clock.now();
    await openCase(tx, subject, {});
    const endsHold = action === 'none' && (await tx.sql(findAutomaticHold, [type, id])).length > 0;
    if (endsHold) await kind.change(tx, id, 'restore');
    if (action === 'hold' || action === 'remove' || action === 'restore') await kind.change(tx, id, action);
    if (action === 'restrict_author') {
      if (!subject.authorId)
        throw new AppError('conflict', { message: 'This subject has no author who could be restricted.' });
      await tx.sql(restrict, [subject.authorId, caseId, now]);
    }
    if (action === 'restore') await tx.sql(lift, [caseId]);
    const status = action === 'none' || action === 'restore' ? 'dismissed' : 'actioned';
    await tx.sql(settleReports, [type, id, status, now]);
    await tx.sql(settleAppeals, [type, id, action, now]);
    await tx.sql(close, [caseId, now]);
    await recordAudit(tx, callerId(tx), 'moderation.decided', caseId);
    return recordDecision(tx, subject, { action, reason, statement, automated: false });
  });
}

/**
 * Returns the current subject, or the one recorded in its case if it no longer exists.
 * @throws AppError `not_found` if there is neither
 */
async function subjectOf(tx: Ctx, kind: ReportableKind, id: string): Promise<Subject & { isGone: boolean }> {
  const { type } = kind;
  const shown = await kind.show(tx, id);
  if (shown) return { type, id, authorId: shown.authorId, isGone: false };
  const [found] = await tx.sql<Pick<Subject, 'authorId'>>(findAuthor, [caseIdOf({ type, id })]);
  if (!found) throw notFound();
  return { type, id, authorId: found.authorId, isGone: true };
}
