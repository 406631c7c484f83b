import type { Ctx } from '../core/ctx.ts';
import type { OpenMessage } from './open-message.ts';
import type { PlatformKind } from './platforms.ports.ts';

/** How long the platform shows it, less what a request takes. */
const everyMs: Record<PlatformKind, number> = { chat_server: 8_000, chat_messenger: 4_000, chat_workspace: 60_000 };

/** What is answered sooner needs no announcement. */
const firstAfterMs = 200;

/** Shows that the bot is writing until `stop`. A nicety: once it has failed it is left alone. */
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
