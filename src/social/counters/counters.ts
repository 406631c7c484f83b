import type { Ctx } from '../../core/ctx.ts';
import { sendSql } from '../../core/database/transaction.ts';

/** `follower` and `following` of a user, `like` of an agent, `view` of a share. */
export type CounterKind = 'follower' | 'following' | 'like' | 'view';

const insertNote = {
  name: 'counter_note',
  text: `insert into counter_notes (kind, subject_id, delta, created_at) values ($1, $2, $3, $4)`,
};

/** Notes a change of a counter, in the transaction of the row that it counts. */
export const noteChange = (tx: Ctx, kind: CounterKind, subjectId: string, delta: 1 | -1): Promise<void> =>
  sendSql(tx, insertNote, [kind, subjectId, delta, tx.clock.now()]);

/** A statement that notes a change for each row of `from`; the other parts are SQL expressions of such a row. */
export const noteFor = (
  kind: CounterKind,
  { subject, delta, now, from }: { subject: string; delta: string; now: string; from: string },
): string =>
  `insert into counter_notes (kind, subject_id, delta, created_at) select '${kind}', ${subject}, ${delta}, ${now} from ${from}`;

/** SQL: what a counter lacks. `subject` is the column with the id. */
export const pending = (kind: CounterKind, subject: string): string => `
  coalesce((select sum(n.delta) from counter_notes n where n.subject_id = ${subject} and n.kind = '${kind}'), 0)::integer`;

/** SQL: the counter of a row that may not exist, with what it lacks. */
export const counted = (column: string, kind: CounterKind, subject: string): string =>
  `coalesce(${column}, 0) + ${pending(kind, subject)}`;
