import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { AppError } from '../core/errors.ts';
import { enqueueTask } from '../core/tasks/tasks.ts';
import { openCase } from './cases.ts';
import type { SubjectType } from './moderation.input.ts';
import { countCheck, refusedContent, timeoutMs } from './require-allowed.ts';
import { caseIdOf, kindOf } from './subjects.ts';

/** Maximum number of attempts: about three days at one attempt every five minutes. */
const maxAttempts = 1_000;
/** How long a caller waits for the check before the text is accepted without it, in milliseconds. */
const patienceMs = 4_000;

export interface CheckPayload {
  subjectType: SubjectType;
  subjectId: string;
}

/**
 * Enqueues the content check of a subject's public text; a flagged subject gets a case. Call it in the transaction that
 * publishes or changes the subject, so that publishing never waits for the provider.
 */
export const checkLater = (tx: Ctx, subjectType: SubjectType, subjectId: string): Promise<void> =>
  enqueueTask(
    tx,
    'moderation.check',
    { subjectType, subjectId },
    { key: caseIdOf({ type: subjectType, id: subjectId }), maxAttempts },
  );

/**
 * Rejects a text that the content check flags. Returns false when the check is unavailable: the text is then accepted
 * and the caller must enqueue `checkLater`. Makes a network call, so run it outside of a transaction.
 * @throws AppError `invalid_request` with the detail `content_refused`, `rate_limited`
 */
export async function refuseFlaggedText(ctx: Ctx, field: string, text: string): Promise<boolean> {
  await countCheck(ctx);
  let verdict;
  try {
    verdict = await ctx.ports.contentCheck.check({ text }, AbortSignal.timeout(patienceMs));
  } catch (error) {
    if (!isDown(error)) throw error;
    ctx.log.warn({ err: error }, 'the content check is down: a text is checked later');
    return false;
  }
  if (verdict.flagged) throw refusedContent(field, verdict.categories);
  return true;
}

const isDown = (error: unknown): boolean => error instanceof AppError && error.code === 'unavailable';

/**
 * Checks the current text of a subject and opens a case when it is flagged.
 * @throws AppError `unavailable`, so that the task is retried
 */
export async function checkSubject(ctx: Ctx, { subjectType: type, subjectId: id }: CheckPayload): Promise<void> {
  const kind = kindOf(ctx, type);
  const shown = await kind.show(ctx, id);
  if (!shown) return;
  const marks = [...shown.marks, ...(await suspicionsOf(ctx, `${shown.title}\n${shown.text}`))];
  if (marks.length === 0) return;
  await inTransaction(ctx, async (tx) => {
    await openCase(tx, { type, id, authorId: shown.authorId }, { marks });
    await kind.onFlagged?.(tx, id);
  });
}

// A request is limited by tokens, of which a character of some scripts has more than one.
const maxChecked = 8_000;

/** Returns the categories in which the content check flags a text of any length; none if it does not. */
async function suspicionsOf(ctx: Ctx, text: string): Promise<string[]> {
  const found = new Set<string>();
  for (let start = 0; start < text.length; start += maxChecked) {
    const part = text.slice(start, start + maxChecked);
    const { flagged, categories } = await ctx.ports.contentCheck.check({ text: part }, AbortSignal.timeout(timeoutMs));
    if (!flagged) continue;
    for (const category of categories.length > 0 ? categories : ['flagged']) found.add(category);
  }
  return [...found];
}
