import { syncAccount } from '../src/billing/sync-account.ts';
import type { Job } from './job.ts';

/** Brings an account up to date with the payment processor: after its events, when a period ends, when an answer got lost. */
export const syncBilling: Job<{ userId: string }> = {
  kind: 'billing.sync',
  concurrency: 4,
  timeoutMs: 30_000,
  handle: async (ctx, { userId }) => void (await syncAccount(ctx, userId)),
};
