import { deliverMail, forgetMail, mailTask } from '../src/accounts/mails.ts';
import type { Job } from './job.ts';

/** Sends what `sendMail` wrote. A mail server that is down is asked every 45 seconds for about a day. */
export const sendMails: Job<{ mailId: string }> = {
  kind: mailTask,
  concurrency: 5,
  timeoutMs: 60_000,
  retryDelaysSeconds: [5, 15, 45],
  handle: (ctx, { mailId }, run) => deliverMail(ctx, mailId, (inner) => run.complete(inner)),
  failed: (ctx, { mailId }) => forgetMail(ctx, mailId),
};
