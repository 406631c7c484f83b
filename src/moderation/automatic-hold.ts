import type { Ctx } from '../core/ctx.ts';
import { ago } from '../core/database/purge-in-batches.ts';
import type { ReportReason } from './moderation.input.ts';
import { recordDecision } from './record-decision.ts';
import { kindOf, type Subject } from './subjects.ts';

/** Number of established accounts whose reports within the window hold a subject until a moderator decides. */
const minAccounts = 5;
const windowMs = 24 * 3_600_000;
/** An account is established once its e-mail address is verified and it is this old. */
const establishedMs = 7 * 24 * 3_600_000;

// Runs under the case's lock, so that the fifth of several concurrent reports sees the other four.
const count = {
  name: 'moderation_established_reporters',
  text: `
    select count(*) as accounts, mode() within group (order by r.reason) as reason
    from moderation_reports r join users u on u.id = r.reporter_id
    where r.subject_type = $1 and r.subject_id = $2 and r.status = 'received' and r.created_at > $3 and u.id <> coalesce($4, '')
      and u.email_verified and u.created_at <= $5 and u.deletion_requested_at is null`,
};

const statement =
  'Several established accounts reported this within a day. It is hidden from lists until a moderator has reviewed it; direct use continues.';

/**
 * Holds a subject that enough established accounts have reported; otherwise a no-op. The caller must hold the case's
 * lock.
 */
export async function holdWhenReportedByMany(tx: Ctx, subject: Subject): Promise<void> {
  const { type, id, authorId } = subject;
  const values = [type, id, ago(tx, windowMs), authorId, ago(tx, establishedMs)];
  const [counted] = await tx.sql<{ accounts: number; reason: ReportReason }>(count, values);
  if (!counted || counted.accounts < minAccounts) return;
  if (!(await kindOf(tx, type).change(tx, id, 'hold'))) return;
  await recordDecision(tx, subject, { action: 'hold', reason: counted.reason, statement, automated: true });
}
