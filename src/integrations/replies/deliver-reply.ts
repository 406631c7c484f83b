import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { Statement } from '../../core/database/sql.ts';
import { endUndelivered, type OpenMessage, settleMessage, type Step } from './open-message.ts';
import { noteAuthFailure, noteAuthSuccess } from '../connections/connection-health.ts';
import { noteAccepted, noteRefusal } from './refusals.ts';
import { PlatformError } from '../platforms.ports.ts';

const beginPart = {
  name: 'platform_message_begin_part',
  text: `
    update platform_messages set sending = true
    where seq = $1 and parts_sent = $2 and state = 'replying' and not sending returning seq`,
};
const endPart = {
  name: 'platform_message_end_part',
  text: `
    update platform_messages set sending = false, parts_sent = $2 + 1
    where seq = $1 and parts_sent = $2 and state = 'replying' returning seq`,
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
/** Largest number of times that the platform may ask to wait for one reply. */
const maxWaits = 50;
const maxPauseMs = 3_600_000;
/** Shortest pause, also when the platform asks for a shorter one or for none. */
const firstRetryMs = 500;
const longestRetryMs = 60_000;

/**
 * Sends the unsent parts of a reply in order. Unless the platform detects duplicates, each part is recorded before it
 * is sent; progress is recorded after each part but the last, which settles the message. A part whose outcome is
 * unknown is sent again only where the platform detects duplicates. `confirmLease` runs before each part, so a process
 * that was suspended past its lease sends nothing more.
 * @throws Error when another process has advanced the reply
 */
export async function deliverReply(ctx: Ctx, message: OpenMessage, confirmLease: () => Promise<void>): Promise<Step> {
  const parts = message.parts ?? [];
  const { detectsDuplicates } = ctx.ports.platforms[message.platform];
  let maybeSent = message.sending;
  for (let n = message.partsSent; n < parts.length; n++) {
    await confirmLease();
    if (!maybeSent && !detectsDuplicates) await advance(ctx, beginPart, message.seq, n);
    const step = await sendPart(ctx, message, n, parts[n] ?? '', maybeSent);
    if (step) return step;
    if (n < parts.length - 1) await advance(ctx, endPart, message.seq, n);
    maybeSent = false;
  }
  await inTransaction(ctx, async (tx) => {
    const isOurs = await settleMessage(tx, message.seq, 'answered');
    if (isOurs && message.personId !== '') await tx.sql(countSent, [message.integrationId, tx.clock.now()]);
    await noteAuthSuccess(tx, message.integrationId);
    await noteAccepted(tx, message.integrationId, message.target.channelId);
  });
  return { done: true };
}

async function advance(ctx: Ctx, statement: Statement, seq: number, n: number): Promise<void> {
  const rows = await ctx.sql(statement, [seq, n]);
  if (rows.length === 0) throw new Error('another process delivers this reply');
}

/** Sends one part. Returns null when the platform accepted it. */
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
  const { replyTo: _asked, ...rest } = target;
  return rest;
}

async function afterFailure(ctx: Ctx, message: OpenMessage, error: PlatformError): Promise<Step> {
  const { integrationId, seq } = message;
  if (error.kind !== 'unknown') await ctx.sql(abandonPart, [seq]);
  if (error.kind === 'auth') await noteAuthFailure(ctx, integrationId, error.message);
  const [row] = await ctx.sql<{ failures: number }>(countFailure, [seq]);
  const failures = row?.failures ?? maxWaits;
  ctx.log.info({ integrationId, kind: error.kind, failures }, 'the platform did not accept a reply');
  const most = error.kind === 'rate_limited' ? maxWaits : maxSendFailures;
  if (error.kind === 'refused' || failures >= most) return giveUp(ctx, message, error);
  const laterMs = Math.min(firstRetryMs * 2 ** (failures - 1), longestRetryMs);
  if (error.kind !== 'rate_limited') return { laterMs };
  const pauseMs = Math.min(Math.max(error.retryAfterMs ?? 0, laterMs), maxPauseMs);
  await ctx.sql(pause, [integrationId, pauseMs]);
  return { laterMs: pauseMs };
}

/** Ends a reply that the platform does not accept, refunds it, and tells the owner if that happens again. */
async function giveUp(ctx: Ctx, message: OpenMessage, error: PlatformError): Promise<Step> {
  await inTransaction(ctx, async (tx) => {
    if (!(await endUndelivered(tx, message, 'failed'))) return;
    await noteRefusal(tx, message.integrationId, message.target.channelId, error.message);
  });
  return { done: true };
}
