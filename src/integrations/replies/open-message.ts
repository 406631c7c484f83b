import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { refundUndelivered } from '../../conversations/messages/refunds.ts';
import type { Bot, ChatTarget, PlatformKind } from '../platforms.ports.ts';

/** A message without a reply yet, with its integration. */
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

/** Result of a step. `laterMs`: the queue has to be processed again after that time. */
export type Step = { done: true } | { laterMs: number };

const settle = {
  name: 'platform_message_settle',
  text: `
    update platform_messages set state = $2, content = '', parts = null, sending = false
    where seq = $1 and state in ('received', 'replying') returning seq`,
};

/** Ends a message and clears its texts, which the conversation contains. Returns false when it had ended already. */
export async function settleMessage(
  ctx: Ctx,
  seq: number,
  state: 'answered' | 'refused' | 'dropped' | 'failed',
): Promise<boolean> {
  return (await ctx.sql(settle, [seq, state])).length > 0;
}

/** Idempotency key of the agent's reply to a message. */
export const replyKey = ({ integrationId, seq }: Pick<OpenMessage, 'integrationId' | 'seq'>): string =>
  `platform:${integrationId}:${seq}`;

/** Ends a message whose reply is not delivered, and refunds the reply unless a part of it was. */
export function endUndelivered(
  ctx: Ctx,
  message: Pick<OpenMessage, 'seq' | 'integrationId' | 'ownerId' | 'partsSent'>,
  state: 'dropped' | 'failed',
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const isOurs = await settleMessage(tx, message.seq, state);
    if (isOurs && message.partsSent === 0) await refundUndelivered(tx, message.ownerId, replyKey(message));
    return isOurs;
  });
}
