import { forgottenPasswordTask, sendResetMail } from '../src/accounts/forgotten-password.ts';
import type { Job } from './job.ts';

/** Looks up who forgot a password, after the answer to them has gone out. */
export const sendResetMails: Job<{ sealed: string }> = {
  kind: forgottenPasswordTask,
  concurrency: 4,
  timeoutMs: 30_000,
  handle: (ctx, { sealed }, run) => sendResetMail(ctx, sealed, (inner) => run.complete(inner)),
};
