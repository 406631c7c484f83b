import type { Ctx } from '../../core/ctx.ts';
import { followEnd, followLive } from './follow-live.ts';
import { type FollowOptions, followStored } from './follow-stored.ts';
import type { GenerationEvents } from './generation-events.ts';

/**
 * The reply of a generation from its first character (or `from`), in order, without gaps or repeats, then how it ended;
 * whether it runs here, on another instance, or is over. Any number of readers, each at its own pace: a slow one gets
 * larger pieces, nothing is queued for it.
 */
export function followGeneration(ctx: Ctx, generationId: string, options: FollowOptions = {}): GenerationEvents {
  const live = ctx.ports.generations.find(generationId);
  if (!live) return followStored(ctx, generationId, options.from ?? 0, options);
  return options.endOnly ? followEnd(ctx, live, 0, options) : followLive(ctx, live, options);
}
