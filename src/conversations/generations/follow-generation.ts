import type { Ctx } from '../../core/ctx.ts';
import { followEnd, followLive } from '../replies/follow-live.ts';
import { type FollowOptions, followStored } from '../replies/follow-stored.ts';
import { generationTable } from './generation-table.ts';
import type { GenerationEvents, StoredReply } from '../replies/generation-events.ts';
import type { OwnedGeneration } from './generation-job.ts';
import type { AttemptKey } from '../replies/reply-statements.ts';
import type { ReplyTable } from '../replies/reply-table.ts';

/**
 * Follows the reply of an attempt from its first character (or `from`), in order, without gaps or repeats, and yields
 * how it ended. The attempt may run here or on another instance, or may have ended. Any number of readers can follow it
 * at their own pace: a slow one gets larger pieces, and nothing is queued for it.
 */
export function followAttempt<Stored extends StoredReply>(
  ctx: Ctx,
  table: ReplyTable<Stored>,
  key: AttemptKey,
  options: FollowOptions = {},
): GenerationEvents<Stored> {
  const live = table.live(ctx.ports).find(key.id);
  if (!live) return followStored(ctx, table, key, options.from ?? 0, options);
  return options.endOnly ? followEnd(ctx, table, live, 0, options) : followLive(ctx, table, live, options);
}

/** Follows a generation like `followAttempt`. */
export const followGeneration = (
  ctx: Ctx,
  generation: OwnedGeneration,
  options: FollowOptions = {},
): GenerationEvents => followAttempt(ctx, generationTable, { id: generation.id, account: generation.userId }, options);
