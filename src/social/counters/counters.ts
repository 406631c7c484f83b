import type { Ctx } from '../../core/ctx.ts';
import { sendSql } from '../../core/database/transaction.ts';

/** The counters: `follower` and `following` of a user, `like` of an agent, `view` of a share. */
export type CounterKind = 'follower' | 'following' | 'like' | 'view';

const insertNote = {
  name: 'counter_note',
  text: `insert into counter_notes (kind, subject_id, delta, created_at) values ($1, $2, $3, $4)`,
};

/** Notes a change of a counter. Call it in the transaction that writes the counted row. */
export const noteChange = (tx: Ctx, kind: CounterKind, subjectId: string, delta: 1 | -1): Promise<void> =>
  sendSql(tx, insertNote, [kind, subjectId, delta, tx.clock.now()]);

/**
 * Returns a statement that notes a change for each row of `from`. `subject`, `delta` and `now` are SQL expressions over
 * such a row.
 */
export const noteFor = (
  kind: CounterKind,
  { subject, delta, now, from }: { subject: string; delta: string; now: string; from: string },
): string =>
  `insert into counter_notes (kind, subject_id, delta, created_at) select '${kind}', ${subject}, ${delta}, ${now} from ${from}`;

/**
 * Returns SQL for the sum of the changes that a counter does not include yet. `subject` is the column with the
 * subject's id.
 */
export const pending = (kind: CounterKind, subject: string): string => `
  coalesce((select sum(n.delta) from counter_notes n where n.subject_id = ${subject} and n.kind = '${kind}'), 0)::integer`;

/** Returns SQL for a counter including pending changes. The counter's row may be missing. */
export const counted = (column: string, kind: CounterKind, subject: string): string =>
  `coalesce(${column}, 0) + ${pending(kind, subject)}`;
