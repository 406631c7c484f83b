import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type Page, pageInput, readSlice, withTotal } from '../core/pagination.ts';
import { sendSql } from '../core/database/transaction.ts';
import type { AuditAction } from './audit-actions.ts';
import { AuditEvent } from './audit-event.entity.ts';
import { callerId } from './caller.ts';

const insert = {
  name: 'audit_insert',
  text: `
    insert into audit_events (id, user_id, action, subject, session_id, api_key_id, ip, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

/**
 * Records an action in an account's audit log. Call it in the transaction of the action: the statement is sent with the
 * commit.
 */
export async function recordAudit(
  ctx: Ctx,
  userId: string,
  action: AuditAction,
  subject: string | null = null,
): Promise<void> {
  const { actor } = ctx;
  const credential = actor.kind === 'user' ? actor : { sessionId: null, apiKeyId: null };
  const ip = actor.kind === 'system' ? null : actor.ip;
  const { sessionId, apiKeyId } = credential;
  await sendSql(ctx, insert, [newId('aud_'), userId, action, subject, sessionId, apiKeyId, ip, ctx.clock.now()]);
}

const insertFailedLogin = {
  name: 'audit_failed_login',
  text: `
    insert into audit_events (id, user_id, action, ip, created_at)
    select $1, id, 'login.failed', $3, $4 from users where email = $2`,
};

/**
 * Records a failed login. The statement is the same whether or not the account exists, and it is not awaited, so that
 * timing reveals nothing.
 */
export function recordFailedLogin(ctx: Ctx, email: string): void {
  const ip = ctx.actor.kind === 'system' ? null : ctx.actor.ip;
  ctx
    .sql(insertFailedLogin, [newId('aud_'), email, ip, ctx.clock.now()])
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not record a failed login'));
}

const listInput = pageInput();
const newestFirst = orderedList<AuditEvent>({
  name: 'audit_page',
  columns: columnsOf(AuditEvent, 'e'),
  from: 'audit_events e where e.user_id = $1',
  valueCount: 1,
  key: { column: 'e.created_at', kind: 'time', of: (event) => event.createdAt },
  id: { column: 'e.id', of: ({ id }) => id },
});
const count = { name: 'audit_count', text: `select count(*) as total from audit_events where user_id = $1` };

/** Lists the caller's audit log, newest first. @throws AppError `invalid_request` */
export async function listAuditEvents(ctx: Ctx, input: unknown): Promise<Page<AuditEvent>> {
  const page = parseInput(listInput, input);
  const values = [callerId(ctx)];
  return withTotal(ctx, readSlice(ctx, newestFirst, values, page), page, count, values);
}
