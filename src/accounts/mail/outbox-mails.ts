import type { Ctx } from '../../core/ctx.ts';
import { readEmail } from '../../core/text/email.ts';
import { openMail } from './mails.ts';

/** A mail in the form that /dev/mail shows. */
export interface ShownMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
}

const newest = {
  name: 'outbox_mails_newest',
  text: `
    select id, recipient as "to", subject, sealed, created_at as "createdAt" from outbox_mails
    where $1::text is null or recipient = $1 order by created_at desc, id desc limit 100`,
};

/** Lists the newest hundred mails to one address or to all addresses. For the embedded profile only. */
export async function listOutboxMails(ctx: Ctx, to: string | null): Promise<ShownMail[]> {
  const rows = await ctx.sql<Omit<ShownMail, 'text' | 'html'> & { sealed: string }>(newest, [
    to === null ? null : (readEmail(to) ?? to),
  ]);
  return rows.map(({ sealed, ...mail }) => {
    const { text, html } = openMail(ctx, mail.id, sealed);
    return { ...mail, text, html };
  });
}
