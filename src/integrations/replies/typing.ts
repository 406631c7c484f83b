import type { Ctx } from '../../core/ctx.ts';
import type { OpenMessage } from './open-message.ts';
import type { PlatformKind } from '../platforms.ports.ts';

/** How long each platform shows the indicator, minus the time of a request, in milliseconds. */
const everyMs: Record<PlatformKind, number> = { chat_server: 8_000, chat_messenger: 4_000, chat_workspace: 60_000 };

/** Delay before the first indicator, so that fast replies show none, in milliseconds. */
const firstAfterMs = 200;

/** Shows a typing indicator until `stop` is called or it fails once. */
export function startTyping(ctx: Ctx, { platform, bot, target }: OpenMessage): { stop(): void } {
  let timer: NodeJS.Timeout;
  let stopped = false;
  const stop = () => {
    stopped = true;
    clearTimeout(timer);
  };
  const show = () => {
    if (stopped) return;
    timer = setTimeout(show, everyMs[platform]);
    ctx.ports.platforms[platform].showTyping(bot, target).catch(stop);
  };
  timer = setTimeout(show, firstAfterMs);
  return { stop };
}
