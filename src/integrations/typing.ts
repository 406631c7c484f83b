import type { Ctx } from '../core/ctx.ts';
import type { OpenMessage } from './open-message.ts';
import type { PlatformKind } from './platforms.ports.ts';

/** How long the platform shows it, less what a request takes. */
const everyMs: Record<PlatformKind, number> = { chat_server: 8_000, chat_messenger: 4_000, chat_workspace: 60_000 };

/** Shows that the bot is writing until `stop`. A nicety: what fails is not tried again before its next turn. */
export function startTyping(ctx: Ctx, { platform, bot, target }: OpenMessage): { stop(): void } {
  const show = () => {
    ctx.ports.platforms[platform].showTyping(bot, target).catch(() => clearInterval(timer));
  };
  const timer = setInterval(show, everyMs[platform]);
  show();
  return { stop: () => clearInterval(timer) };
}
