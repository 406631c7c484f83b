import { purgeTask } from '../src/accounts/account-deletion.ts';
import { purgeAccount } from '../src/accounts/purge-account.ts';
import type { Job } from './job.ts';

/** The end of an account, when its grace period is over. */
export const purgeAccounts: Job<{ userId: string }> = {
  kind: purgeTask,
  concurrency: 1,
  handle: (ctx, { userId }, run) => purgeAccount(ctx, userId, run),
};
