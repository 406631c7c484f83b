import type { Ctx } from '../core/ctx.ts';
import type { Bot, ChatTarget, PlatformKind } from './platforms.ports.ts';

/** A message on its way to its answer, and whose it is. */
export interface OpenMessage {
  seq: number;
  integrationId: string;
  eventId: string;
  chatId: string;
  personId: string;
  state: 'received' | 'replying';
  target: ChatTarget;
  content: string;
  parts: string[] | null;
  partsSent: number;
  sending: boolean;
  failures: number;
  platform: PlatformKind;
  ownerId: string;
  agentId: string;
  bot: Bot;
}

/** `later`: try the lane again in so many milliseconds. */
export type Step = { done: true } | { laterMs: number };

const settle = {
  name: 'platform_message_settle',
  text: `
    update platform_messages set state = $2, content = '', parts = null, sending = false
    where seq = $1 and state in ('received', 'replying')`,
};

/** Ends a message: what was said in it is kept by the conversation alone. */
export async function settleMessage(
  ctx: Ctx,
  seq: number,
  state: 'answered' | 'refused' | 'dropped' | 'failed',
): Promise<void> {
  await ctx.sql(settle, [seq, state]);
}
