import { decrypt, encrypt } from '../../core/crypto.ts';
import type { Ctx } from '../../core/ctx.ts';
import { newId } from '../../core/ids.ts';
import type { EncryptedColumn } from '../../core/database/re-encrypt.ts';
import { enqueueTask } from '../../core/tasks/tasks.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { renderMail, type MailContent, type Mails } from './mail-templates.ts';
import { MailRefused } from './mail.ports.ts';

interface MailRequest<Template extends keyof Mails> {
  /** The account of the recipient. A waiting mail is deleted along with the account. */
  userId: string;
  template: Template;
  data: Mails[Template];
  /** Address of the recipient. Defaults to that of the account at the time of sending. */
  to?: string;
}

/** Lasts about a day at one attempt every 45 seconds. */
const maxAttempts = 2_000;

// Plain SQL, because registration runs it.
const insertMail = {
  name: 'mail_insert',
  text: `insert into mails (id, user_id, template, sealed, created_at, recipient) values ($1, $2, $3, $4, $5, $6)`,
};

/**
 * Stores a mail in the transaction of its cause. A job sends it within milliseconds, or once the mail server is
 * available again.
 */
export async function sendMail<Template extends keyof Mails>(
  ctx: Ctx,
  { userId, template, data, to }: MailRequest<Template>,
): Promise<void> {
  const id = newId('mail_');
  const content = renderMail(ctx.config.publicUrl, template, data);
  const sealed = encrypt(ctx.config.encryptionKeys, JSON.stringify(content), mailContext(id));
  await ctx.sql(insertMail, [id, userId, template, sealed, ctx.clock.now(), to ?? null]);
  await enqueueTask(ctx, 'mail', { mailId: id }, { maxAttempts });
}

/** Returns the encryption context of a mail, which is the same in both tables. */
const mailContext = (id: string): string => `mail ${id}`;

export const encryptedMails: readonly EncryptedColumn[] = ['mails', 'outbox_mails'].map((table) => ({
  table,
  column: 'sealed',
  key: { id: '' },
  contextOf: ([id = '']) => mailContext(id),
}));

const findMail = {
  name: 'mail_find',
  text: `
    select m.user_id as "userId", m.sealed, m.created_at as "createdAt", coalesce(m.recipient, u.email) as "to"
    from mails m join users u on u.id = m.user_id where m.id = $1`,
};
const deleteMail = { name: 'mail_delete', text: `delete from mails where id = $1` };
const insertOutboxMail = {
  name: 'outbox_mail_insert',
  text: `
    insert into outbox_mails (id, user_id, recipient, subject, sealed, created_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (id) do nothing`,
};

interface MailRow {
  userId: string;
  sealed: string;
  createdAt: Date;
  to: string;
}

/**
 * Sends a mail once: an attempt ends only after SMTP has confirmed acceptance. Only a process that dies between the
 * confirmation and the commit causes a duplicate, which has the same Message-ID, so mailboxes show it once. `complete`
 * completes the task in the transaction that deletes the mail.
 */
export async function deliverMail(ctx: Ctx, mailId: string, complete: (ctx: Ctx) => Promise<void>): Promise<void> {
  const [row] = await ctx.sql<MailRow>(findMail, [mailId]);
  const content = row && openMail(ctx, mailId, row.sealed);
  if (content && ctx.ports.mail) await handOver(ctx, mailId, row.to, content);
  await inTransaction(ctx, async (tx) => {
    if (row && content && !ctx.ports.mail) {
      await tx.sql(insertOutboxMail, [mailId, row.userId, row.to, content.subject, row.sealed, row.createdAt]);
    }
    await forgetMail(tx, mailId);
    await complete(tx);
  });
}

/** Deletes a mail that was sent or has failed permanently. */
export const forgetMail = async (ctx: Ctx, mailId: string): Promise<void> => void (await ctx.sql(deleteMail, [mailId]));

/** Decrypts the content of a mail. */
export const openMail = (ctx: Pick<Ctx, 'config'>, id: string, sealed: string): MailContent =>
  JSON.parse(decrypt(ctx.config.encryptionKeys, sealed, mailContext(id)).toString()) as MailContent;

async function handOver(ctx: Ctx, id: string, to: string, content: MailContent): Promise<void> {
  try {
    await ctx.ports.mail?.send({ id, to, ...content });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    ctx.log.warn({ mailId: id, reason: error.message }, 'mail rejected permanently by the mail server');
  }
}
