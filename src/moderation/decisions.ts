import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { ago } from '../core/database/purge-in-batches.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { openCase } from './cases.ts';
import { Decision } from './decision.entity.ts';
import { appealInput, listInput } from './moderation.input.ts';
import { caseIdOf } from './subjects.ts';

const appealMs = 180 * 24 * 3_600_000;

const decisionColumns = columnsOf(Decision, 'd');
const from = 'moderation_decisions d where d.author_id = $1';

const newestFirst = orderedList<Decision>({
  name: 'moderation_decisions_list',
  columns: decisionColumns,
  from,
  valueCount: 1,
  key: { column: 'd.created_at', kind: 'time', of: ({ createdAt }) => createdAt },
  id: { column: 'd.id', of: ({ id }) => id },
});
const countOwn = { name: 'moderation_decisions_count', text: `select count(*) as total from ${from}` };

/**
 * Lists the decisions that concern the caller, newest first.
 * @throws AppError `invalid_request`
 */
export async function listDecisions(ctx: Ctx, input: unknown): Promise<Page<Decision>> {
  const page = parseInput(listInput, input);
  const values = [callerId(ctx)];
  return withTotal(ctx, readSlice(ctx, newestFirst, values, page), page, countOwn, values);
}

const lockOwn = {
  name: 'moderation_decision_lock',
  text: `select ${decisionColumns} from moderation_decisions d where d.id = $1 and d.author_id = $2 for update`,
};
const store = {
  name: 'moderation_appeal',
  text: `
    update moderation_decisions d set appeal_text = $2, appealed_at = $3, updated_at = $3 where d.id = $1
    returning ${decisionColumns}`,
};
const markCase = {
  name: 'moderation_case_appealed',
  text: `update moderation_cases set appealed_at = $2 where id = $1`,
};

/**
 * Appeals a decision against the caller, once and within 180 days. Reopens its case.
 * @throws AppError `invalid_request`, `not_found`, `conflict`
 */
export async function appealDecision(ctx: Ctx, id: string, input: unknown): Promise<Decision> {
  const { text } = parseInput(appealInput, input);
  if (!isId('dec_', id)) throw notFound();
  return inTransaction(ctx, async (tx) => {
    const [decision] = await tx.sql<Decision>(lockOwn, [id, callerId(tx)]);
    if (!decision) throw notFound();
    requireAppealable(tx, decision);
    const now = tx.clock.now();
    const [appealed = decision] = await tx.sql<Decision>(store, [id, text, now]);
    const subject = { type: decision.subjectType, id: decision.subjectId, authorId: callerId(tx) };
    await openCase(tx, subject, {});
    await tx.sql(markCase, [caseIdOf(subject), now]);
    return appealed;
  });
}

function requireAppealable(tx: Ctx, { action, appealedAt, createdAt }: Decision): void {
  const refuse = (message: string) => new AppError('conflict', { message });
  if (appealedAt) throw refuse('This decision has already been appealed.');
  if (action === 'none' || action === 'restore')
    throw refuse('This decision changed nothing, so it cannot be appealed.');
  if (createdAt <= ago(tx, appealMs)) throw refuse('A decision can be appealed for 180 days.');
}
