import type { Ctx } from '../../core/ctx.ts';
import { followEnd, followLive } from './follow-live.ts';
import { type FollowOptions, followStored } from './follow-stored.ts';
import { generationTable } from './generation-table.ts';
import type { GenerationEvents, StoredReply } from './generation-events.ts';
import type { OwnedGeneration } from './generation-job.ts';
import type { AttemptKey } from './reply-statements.ts';
import type { ReplyTable } from './reply-table.ts';

/**
 * The reply of an attempt from its first character (or `from`), in order, without gaps or repeats, then how it ended;
 * whether it runs here, on another instance, or is over. Any number of readers, each at its own pace: a slow one gets
 * larger pieces, nothing is queued for it.
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

/** `followAttempt` of a generation. */
export const followGeneration = (
  ctx: Ctx,
  generation: OwnedGeneration,
  options: FollowOptions = {},
): GenerationEvents => followAttempt(ctx, generationTable, { id: generation.id, account: generation.userId }, options);
