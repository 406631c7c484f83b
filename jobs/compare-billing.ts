import { compareAccounts } from '../src/billing/compare-accounts.ts';
import { purgeProcessorEvents } from '../src/billing/processor-events.ts';
import type { Job } from './job.ts';

/** Once a day, every account is compared with the payment processor; what differs is mended and counted. */
export const compareBilling: Job = {
  kind: 'billing.compare',
  everyMs: 86_400_000,
  concurrency: 1,
  timeoutMs: 60_000,
  handle: async (ctx, _payload, run) => {
    const { compared, drifted, failed } = await compareAccounts(ctx, async () => {
      run.signal.throwIfAborted();
      await run.heartbeat();
    });
    const purged = await purgeProcessorEvents(ctx, run.signal);
    ctx.log.info({ compared, drifted, failed, purged }, 'compared the accounts with the payment processor');
  },
};
