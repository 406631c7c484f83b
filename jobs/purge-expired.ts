import { purgeExpiredExports } from '../src/accounts/purge-exports.ts';
import { purgeExpiredSessions } from '../src/accounts/purge-sessions.ts';
import { purgeExpiredTokens } from '../src/accounts/purge-tokens.ts';
import { purgeDeadInstances } from '../src/conversations/instances.ts';
import { purgeExpiredIdempotencyKeys, purgeExpiredRateLimits, purgeFailedTasks } from '../src/core/purge.ts';
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
    const tokens = await purgeExpiredTokens(ctx, signal);
    const rateLimits = await purgeExpiredRateLimits(ctx, signal);
    const exports = await purgeExpiredExports(ctx, signal);
    const instances = await purgeDeadInstances(ctx, signal);
    const purged = { idempotencyKeys, sessions, failedTasks, platformMessages, tokens, rateLimits, exports, instances };
    ctx.log.info(purged, 'purged what had expired');
  },
};
