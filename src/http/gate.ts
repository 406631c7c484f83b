import type { Gate } from '../../rest/gate.ts';
import { gatheredSql } from '../core/database/sql.ts';
import type { Ctx } from '../core/ctx.ts';
import type { RateLimits } from '../core/http/rate-limits.ts';
import { identify } from './credentials.ts';
import { admit } from './rate-limit.ts';

/** Creates the credential check and rate limit that all interfaces share. `system` is the service's own Ctx. */
export function createGate(system: Ctx, rateLimits: RateLimits): Gate {
  // Lookups of concurrent requests share statements.
  const ctx = { ...system, sql: gatheredSql(system.pool) };
  return {
    identify: (request) => identify(ctx, request),
    moderators: system.config.moderation.moderators,
    admit: (_request, reply, actor, own) => admit(rateLimits, system.config.rateLimits, reply, actor, own),
  };
}
