import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/transaction.ts';
import { type OpenMessage, settleMessage, type Step } from './open-message.ts';
import { noteAuthFailure, noteAuthSuccess } from './connection-health.ts';
import { PlatformError } from './platforms.ports.ts';

const beginPart = {
  name: 'platform_message_begin_part',
  text: `update platform_messages set sending = true where seq = $1 and parts_sent = $2 and state = 'replying'`,
};
const endPart = {
  name: 'platform_message_end_part',
  text: `
    update platform_messages set sending = false, parts_sent = $2 + 1
    where seq = $1 and parts_sent = $2 and state = 'replying'`,
};
const abandonPart = {
  name: 'platform_message_abandon_part',
  text: `update platform_messages set sending = false where seq = $1`,
};
const countFailure = {
  name: 'platform_message_send_failure',
  text: `update platform_messages set failures = failures + 1 where seq = $1 returning failures`,
};
const countSent = {
  name: 'integration_count_sent',
  text: `update integrations set message_count = message_count + 1, last_message_at = $2 where id = $1`,
};
const pause = {
  name: 'integration_pause',
  text: `
    update integration_connections set paused_until = greatest(paused_until, now() + $2 * interval '1 millisecond')
    where integration_id = $1`,
};

const maxSendFailures = 10;
const maxPauseMs = 3_600_000;
const firstRetryMs = 500;
const longestRetryMs = 60_000;

/**
 * Sends the parts of a reply that were not sent yet, in order. Before a part is handed to the platform that is written
 * down, and after it that it was taken: a part whose fate is unknown is sent again only as far as the platform can tell
 * it from a second one.
 */
export async function deliverReply(ctx: Ctx, message: OpenMessage): Promise<Step> {
  const parts = message.parts ?? [];
  const { tellsRepetitions } = ctx.ports.platforms[message.platform];
  let maybeSent = message.sending;
  for (let n = message.partsSent; n < parts.length; n++) {
    if (!maybeSent && !tellsRepetitions) await ctx.sql(beginPart, [message.seq, n]);
    const step = await sendPart(ctx, message, n, parts[n] ?? '', maybeSent);
    if (step) return step;
    if (n < parts.length - 1) await ctx.sql(endPart, [message.seq, n]);
    maybeSent = false;
  }
  await inTransaction(ctx, async (tx) => {
    await settleMessage(tx, message.seq, 'answered');
    if (message.personId !== '') await tx.sql(countSent, [message.integrationId, tx.clock.now()]);
    await noteAuthSuccess(tx, message.integrationId);
  });
  return { done: true };
}

/** Null when the part is with the platform. */
async function sendPart(
  ctx: Ctx,
  message: OpenMessage,
  n: number,
  text: string,
  maybeSent: boolean,
): Promise<Step | null> {
  const { bot, platform } = message;
  const target = n === 0 ? message.target : withoutReply(message);
  try {
    await ctx.ports.platforms[platform].send(bot, { target, text, key: `${message.seq}.${n}`, maybeSent });
    return null;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return afterFailure(ctx, message, error);
  }
}

function withoutReply({ target }: OpenMessage): OpenMessage['target'] {
  const { replyTo: _asked, ...place } = target;
  return place;
}

async function afterFailure(ctx: Ctx, message: OpenMessage, error: PlatformError): Promise<Step> {
  const { integrationId, seq } = message;
  if (error.kind !== 'unknown') await ctx.sql(abandonPart, [seq]);
  if (error.kind === 'rate_limited') {
    const laterMs = Math.min(Math.max(error.retryAfterMs ?? firstRetryMs, 1), maxPauseMs);
    await ctx.sql(pause, [integrationId, laterMs]);
    return { laterMs };
  }
  if (error.kind === 'auth') await noteAuthFailure(ctx, integrationId, error.message);
  const [row] = await ctx.sql<{ failures: number }>(countFailure, [seq]);
  const failures = row?.failures ?? maxSendFailures;
  ctx.log.info({ integrationId, kind: error.kind, failures }, 'a reply was not taken by the platform');
  if (error.kind === 'refused' || failures >= maxSendFailures) {
    await settleMessage(ctx, seq, 'failed');
    return { done: true };
  }
  return { laterMs: Math.min(firstRetryMs * 2 ** (failures - 1), longestRetryMs) };
}
