import type { Ctx } from '../core/ctx.ts';
import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type Page, pageInput, readSlice, withTotal } from '../core/pagination.ts';
import { sendSql } from '../core/transaction.ts';
import { callerId } from './caller.ts';

/** What the audit log tells. */
export const auditActions = [
  'account.registered',
  'account.deletion_scheduled',
  'account.restored',
  'login.succeeded',
  'login.failed',
  'logout',
  'session.revoked',
  'session.token_reused',
  'email.verified',
  'password.changed',
  'password.reset_requested',
  'password.reset',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'export.requested',
  'export.downloaded',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** Who did what, when and from where. Written once, never changed; it goes with the account. */
export interface AuditEvent {
  id: string;
  action: AuditAction;
  /** The id of what it was done to, when that is not the account itself. */
  subject: string | null;
  /** The credential it was done with. */
  sessionId: string | null;
  apiKeyId: string | null;
  ip: string | null;
  createdAt: Date;
}

const insert = {
  name: 'audit_insert',
  text: `
    insert into audit_events (id, user_id, action, subject, session_id, api_key_id, ip, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

/** Writes to the audit log of an account, in the transaction of what is told, whose commit it travels with. */
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
  await sendSql(ctx, insert, [newId('auditEvent'), userId, action, subject, sessionId, apiKeyId, ip, ctx.clock.now()]);
}

const insertFailedLogin = {
  name: 'audit_failed_login',
  text: `
    insert into audit_events (id, user_id, action, ip, created_at)
    select $1, id, 'login.failed', $3, $4 from users where email = $2`,
};

/** The same statement for an address with and without an account, and nobody waits for it: time tells nothing. */
export function recordFailedLogin(ctx: Ctx, email: string): void {
  const ip = ctx.actor.kind === 'system' ? null : ctx.actor.ip;
  ctx
    .sql(insertFailedLogin, [newId('auditEvent'), email, ip, ctx.clock.now()])
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'a failed login was not recorded'));
}

const listInput = pageInput();
const newestFirst = orderedList<AuditEvent>({
  name: 'audit_page',
  columns: `
    id, action, subject, session_id as "sessionId", api_key_id as "apiKeyId", ip, created_at as "createdAt"`,
  from: 'audit_events where user_id = $1',
  valueCount: 1,
  key: { column: 'created_at', kind: 'time', of: (event) => event.createdAt },
  id: { column: 'id', of: ({ id }) => id },
});
const count = { name: 'audit_count', text: `select count(*) as total from audit_events where user_id = $1` };

/** The caller's audit log, newest first. @throws AppError `invalid_request` */
export async function listAuditEvents(ctx: Ctx, input: unknown): Promise<Page<AuditEvent>> {
  const page = parseInput(listInput, input);
  const values = [callerId(ctx)];
  return withTotal(ctx, readSlice(ctx, newestFirst, values, page), page, count, values);
}
