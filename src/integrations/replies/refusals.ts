import type { Ctx } from '../../core/ctx.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { rowExpiry } from '../../core/database/purge-in-batches.ts';
import {
  failIntegration,
  lockIntegration,
  recoverIntegration,
  replyRefused,
} from '../connections/connection-health.ts';

/** Number of replies refused one after another in a channel after which it is paused and the owner is notified. */
const maxRefusals = 2;
const firstPauseSeconds = 60;
const longestPauseSeconds = 3_600;

const advice =
  'Check that the bot is in the channel or chat and may write there, then test the integration. Until a reply is ' +
  'accepted, the agent answers there at most once a minute; replies that are refused are not charged.';

const count = {
  name: 'integration_refusal',
  text: `
    insert into integration_refusals as r (integration_id, channel_id, refusals, retry_at, refused_at)
    values ($1, $2, 1, now(), now())
    on conflict (integration_id, channel_id) do update set refusals = r.refusals + 1, refused_at = now(),
      retry_at = now() + interval '1 second'
        * least(${firstPauseSeconds} * 2 ^ least(r.refusals + 1 - ${maxRefusals}, 10), ${longestPauseSeconds})
    returning refusals`,
};

/**
 * Counts a reply that the platform refused in a channel. After the second in succession the channel is paused and the
 * integration's status is `error`.
 */
export async function noteRefusal(tx: Ctx, integrationId: string, channelId: string, reason: string): Promise<void> {
  await tx.sql(lockIntegration, [integrationId]);
  const [row] = await tx.sql<{ refusals: number }>(count, [integrationId, channelId]);
  if ((row?.refusals ?? 0) < maxRefusals) return;
  await failIntegration(tx, integrationId, replyRefused, `${reason} ${advice}`);
}

const readPaused = {
  name: 'integration_refusal_read',
  text: `
    select 1 from integration_refusals
    where integration_id = $1 and channel_id = $2 and refusals >= ${maxRefusals}`,
};
const claimAttempt = {
  name: 'integration_refusal_attempt',
  text: `
    update integration_refusals set retry_at = now() + interval '${firstPauseSeconds} seconds'
    where integration_id = $1 and channel_id = $2 and retry_at <= now() returning 1`,
};

/** Returns whether the agent may answer in a channel. In a paused one, one message may be answered after each pause. */
export async function mayAnswer(ctx: Ctx, integrationId: string, channelId: string): Promise<boolean> {
  if ((await ctx.sql(readPaused, [integrationId, channelId])).length === 0) return true;
  return (await ctx.sql(claimAttempt, [integrationId, channelId])).length > 0;
}

const remove = {
  name: 'integration_refusal_remove',
  text: `delete from integration_refusals where integration_id = $1 and channel_id = $2 returning 1`,
};
const readOthers = {
  name: 'integration_refusal_others',
  text: `select 1 from integration_refusals where integration_id = $1 and refusals >= ${maxRefusals} limit 1`,
};

/**
 * Ends the pause of a channel in which the platform accepted a message. Returns whether the integration's status
 * became `active`, because no other channel is paused.
 */
export function noteAccepted(ctx: Ctx, integrationId: string, channelId: string): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    if ((await tx.sql(remove, [integrationId, channelId])).length === 0) return false;
    await tx.sql(lockIntegration, [integrationId]);
    if ((await tx.sql(readOthers, [integrationId])).length > 0) return false;
    return recoverIntegration(tx, integrationId);
  });
}

const removeAll = {
  name: 'integration_refusal_remove_all',
  text: `delete from integration_refusals where integration_id = $1`,
};

/** Ends the pauses of all channels, because the owner enabled or disabled the integration. */
export const forgetRefusals = async (tx: Ctx, integrationId: string): Promise<void> => {
  await tx.sql(removeAll, [integrationId]);
};

/** Removes refusals after a day without another one. */
export const refusalExpiry = rowExpiry({
  name: 'refusals',
  keepMs: 24 * 3_600_000,
  statement: {
    name: 'purge_integration_refusals',
    text: `
      delete from integration_refusals where (integration_id, channel_id) in (
        select integration_id, channel_id from integration_refusals where refused_at <= $1
        order by refused_at limit $2)
      returning 1`,
  },
});
