import type { Ctx } from '../../core/ctx.ts';
import { publish } from '../../core/outbox.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { integrationColumns, integrationEventData, type IntegrationView } from '../integration.events.ts';

/** Error code of an integration whose replies are refused. Its connection stays open, so that it can recover. */
export const replyRefused = 'reply_refused';

/** SQL condition: the integration `alias` receives messages. */
export const isListening = (alias: string): string =>
  `(${alias}.status = 'active' or ${alias}.error_code = '${replyRefused}')`;

/** Number of consecutive rejections of the token after which the integration's status becomes `error`. */
const maxAuthFailures = 5;

// Lock order: the row of the integration first, then that of its connection.
export const lockIntegration = {
  name: 'integration_lock',
  text: `select 1 as locked from integrations where id = $1 for no key update`,
};
const countFailure = {
  name: 'connection_auth_failure',
  text: `
    update integration_connections set auth_failures = auth_failures + 1 where integration_id = $1
    returning auth_failures as failures`,
};
const resetFailures = {
  name: 'connection_auth_success',
  text: `update integration_connections set auth_failures = 0 where integration_id = $1 and auth_failures > 0`,
};
const setErrorStatus = {
  name: 'integration_error',
  text: `
    update integrations i set status = 'error', error_code = $2, error_message = $3, event_sequence = event_sequence + 1
    where i.id = $1 and i.status = 'active' returning ${integrationColumns}`,
};

/**
 * Counts a rejection of the token. The fifth consecutive one sets the status to `error` and publishes
 * `integration.error`. Returns whether that happened.
 */
export function noteAuthFailure(ctx: Ctx, integrationId: string, message: string): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    await tx.sql(lockIntegration, [integrationId]);
    const [row] = await tx.sql<{ failures: number }>(countFailure, [integrationId]);
    const isOver = (row?.failures ?? 0) >= maxAuthFailures;
    if (isOver) await failIntegration(tx, integrationId, 'unauthorized', message);
    return isOver;
  });
}

/** Resets the number of rejections. */
export async function noteAuthSuccess(ctx: Ctx, integrationId: string): Promise<void> {
  await ctx.sql(resetFailures, [integrationId]);
}

/** Sets an active integration's status to `error` and publishes `integration.error`. */
export async function failIntegration(ctx: Ctx, integrationId: string, code: string, message: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const [failed] = await tx.sql<IntegrationView>(setErrorStatus, [integrationId, code, message]);
    if (!failed) return;
    const data = { ...integrationEventData(failed), error: { code, message } };
    await publish(tx, failed.ownerId, 'integration.error', data);
  });
}

const clearError = {
  name: 'integration_recovered',
  text: `
    update integrations i
    set status = 'active', error_code = null, error_message = null, event_sequence = event_sequence + 1
    where i.id = $1 and i.error_code = '${replyRefused}' returning ${integrationColumns}`,
};

/**
 * Sets the status of an integration whose replies were refused to `active` and publishes `integration.connected`.
 * Returns whether that happened.
 */
export async function recoverIntegration(tx: Ctx, integrationId: string): Promise<boolean> {
  const [recovered] = await tx.sql<IntegrationView>(clearError, [integrationId]);
  if (recovered) await publish(tx, recovered.ownerId, 'integration.connected', integrationEventData(recovered));
  return recovered !== undefined;
}

const noteBot = {
  name: 'connection_up',
  text: `
    with before as (select announced from integration_connections where integration_id = $1 for update)
    update integration_connections c set bot_user_id = $2, announced = true, auth_failures = 0
    from before where c.integration_id = $1
    returning not before.announced as first`,
};
const announce = {
  name: 'integration_connected',
  text: `
    update integrations i set connected_at = $2, event_sequence = event_sequence + 1
    where i.id = $1 and i.status = 'active' returning ${integrationColumns}`,
};

/**
 * Records that the connection is up. Publishes `integration.connected` once after an activation, not at every
 * reconnect.
 */
export async function noteConnected(ctx: Ctx, integrationId: string, botUserId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.sql(lockIntegration, [integrationId]);
    const [row] = await tx.sql<{ first: boolean }>(noteBot, [integrationId, botUserId]);
    if (!row?.first) return;
    const [connected] = await tx.sql<IntegrationView>(announce, [integrationId, tx.clock.now()]);
    if (connected) await publish(tx, connected.ownerId, 'integration.connected', integrationEventData(connected));
  });
}
