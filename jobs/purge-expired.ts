import { purgeExpiredSessions } from '../src/accounts/purge-sessions.ts';
import { purgeExpiredIdempotencyKeys, purgeFailedTasks } from '../src/core/purge.ts';
import { purgePlatformMessages } from '../src/integrations/purge-platform-messages.ts';
import type { Job } from './job.ts';

/** Every hour, what has run out and is of no more use goes. */
export const purgeExpired: Job = {
  kind: 'house.purge-expired',
  everyMs: 3_600_000,
  concurrency: 1,
  handle: async (ctx, _payload, { signal }) => {
    const idempotencyKeys = await purgeExpiredIdempotencyKeys(ctx, signal);
    const sessions = await purgeExpiredSessions(ctx, signal);
    const failedTasks = await purgeFailedTasks(ctx, signal);
    const platformMessages = await purgePlatformMessages(ctx, signal);
    ctx.log.info({ idempotencyKeys, sessions, failedTasks, platformMessages }, 'purged what had expired');
  },
};
