import { owns } from '../core/actor.ts';
import { LockMode } from '@mikro-orm/core';
import { callerId } from '../accounts/caller.ts';
import type { AgentDeletionStep } from '../agents/agent.ports.ts';
import { lockPlan } from '../accounts/plan.ts';
import { getAgent } from '../agents/agents.ts';
import type { Ctx } from '../core/ctx.ts';
import { isForeignKeyViolation, violatedUnique } from '../core/database/database-errors.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { publish } from '../core/outbox.ts';
import { enqueueTask } from '../core/tasks/tasks.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { botTokenHash, sealBotToken } from './bot-token.ts';
import { IntegrationConnection } from './connections/integration-connection.entity.ts';
import { Integration } from './integration.entity.ts';
import { integrationColumns, integrationEventData, type IntegrationView } from './integration.events.ts';
import {
  connectMessengerInput,
  connectServerInput,
  connectWorkspaceInput,
  updateIntegrationInput,
} from './integration.input.ts';
import type { PlatformKind } from './platforms.ports.ts';
import { forgetRefusals } from './replies/refusals.ts';

/**
 * Connects an agent of the caller to channels of a community server.
 * @throws AppError `invalid_request`, `not_found`, `conflict`, `plan_limit_exceeded`
 */
export function connectServer(ctx: Ctx, input: unknown): Promise<IntegrationView> {
  const { guildId, ...rest } = parseInput(connectServerInput, input);
  return connect(ctx, { ...rest, platform: 'chat_server', place: guildId, autoRespond: false });
}

/**
 * Connects an agent of the caller to a messenger bot, which replies to every message.
 * @throws AppError `invalid_request`, `not_found`, `conflict`, `plan_limit_exceeded`
 */
export function connectMessenger(ctx: Ctx, input: unknown): Promise<IntegrationView> {
  const fields = parseInput(connectMessengerInput, input);
  return connect(ctx, { ...fields, platform: 'chat_messenger', place: '', channelIds: [], autoRespond: true });
}

/**
 * Connects an agent of the caller to channels of a workspace.
 * @throws AppError `invalid_request`, `not_found`, `conflict`, `plan_limit_exceeded`
 */
export function connectWorkspace(ctx: Ctx, input: unknown): Promise<IntegrationView> {
  const { workspaceId, ...rest } = parseInput(connectWorkspaceInput, input);
  return connect(ctx, { ...rest, platform: 'chat_workspace', place: workspaceId, autoRespond: false });
}

interface NewIntegration {
  platform: PlatformKind;
  agentId: string;
  botToken: string;
  place: string;
  channelIds: string[];
  autoRespond: boolean;
}

/** Creates the integration. A worker opens the connection afterwards and reports an invalid token by an event. */
async function connect(ctx: Ctx, { botToken, ...fields }: NewIntegration): Promise<IntegrationView> {
  const agent = await getAgent(ctx, fields.agentId);
  if (!owns(ctx.actor, agent.ownerId)) throw notFound();
  const id = newId('int_');
  try {
    return await inTransaction(ctx, async (tx) => {
      await enforceLimit(tx);
      const now = tx.clock.now();
      const integration = tx.em.create(Integration, {
        id,
        ownerId: callerId(tx),
        ...fields,
        status: 'active',
        botToken: sealBotToken(tx.config, id, botToken),
        tokenHash: botTokenHash(fields.platform, botToken),
        errorCode: null,
        errorMessage: null,
        messageCount: 0,
        eventSequence: 0,
        connectedAt: now,
        lastMessageAt: null,
        createdAt: now,
      });
      await tx.em.persist(integration).flush();
      await tx.em.persist(tx.em.create(IntegrationConnection, { integrationId: id, session: null })).flush();
      await reconcile(tx, id);
      return integration;
    });
  } catch (error) {
    if (violatedUnique(error) !== undefined) {
      throw new AppError('conflict', { message: 'This bot is already connected there.', cause: error });
    }
    throw isForeignKeyViolation(error) ? notFound() : error;
  }
}

/** Largest number of integrations of an account. */
const maxIntegrations = 100;

/**
 * Checks the limit of integrations. Locks the owner's row, so that parallel requests cannot exceed the limit.
 * @throws AppError `plan_limit_exceeded`
 */
async function enforceLimit(tx: Ctx): Promise<void> {
  const ownerId = callerId(tx);
  await lockPlan(tx, ownerId);
  if ((await tx.em.count(Integration, { ownerId })) < maxIntegrations) return;
  throw new AppError('plan_limit_exceeded', {
    message: `An account can have at most ${maxIntegrations} integrations. Delete one first.`,
  });
}

/** Makes the workers check their connections now instead of within a second. */
const reconcile = (ctx: Ctx, id: string): Promise<void> =>
  enqueueTask(ctx, 'integration.reconcile', { integrationId: id }, { key: id });

/** Lists the caller's integrations, newest first. */
export const listIntegrations = (ctx: Ctx): Promise<IntegrationView[]> =>
  ctx.em.find(Integration, { ownerId: callerId(ctx) }, { orderBy: { createdAt: 'desc', id: 'desc' } });

/** Returns one of the caller's integrations. @throws AppError `not_found` */
export async function getIntegration(ctx: Ctx, id: string): Promise<Integration> {
  const integration = isId('int_', id) ? await ctx.em.findOne(Integration, { id }) : null;
  if (!integration || !owns(ctx.actor, integration.ownerId)) throw notFound();
  return integration;
}

// Increments in place, because a worker may change the row concurrently.
const resetConnection = {
  name: 'integration_connection_reset',
  text: `
    update integration_connections
    set revision = revision + 1, announced = false, auth_failures = 0, paused_until = null, session = null
    where integration_id = $1`,
};

/**
 * Updates the given fields. `active` true reconnects, also after an error; false closes the connection within seconds
 * and publishes `integration.disconnected`. Channels apply to the next message, without a reconnect.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function updateIntegration(ctx: Ctx, id: string, input: unknown): Promise<IntegrationView> {
  const { channelIds, active, autoRespond } = parseInput(updateIntegrationInput, input);
  return inTransaction(ctx, async (tx) => {
    const integration = await lockOwn(tx, id);
    if (channelIds && integration.platform !== 'chat_messenger') integration.channelIds = channelIds;
    if (autoRespond !== undefined) integration.autoRespond = autoRespond;
    const turned =
      active !== undefined && active !== (integration.status === 'active') && setActive(tx, integration, active);
    await tx.em.flush();
    if (turned) {
      await tx.sql(resetConnection, [id]);
      await forgetRefusals(tx, id);
    }
    if (turned && !active)
      await publish(tx, integration.ownerId, 'integration.disconnected', integrationEventData(integration));
    await reconcile(tx, id);
    return integration;
  });
}

/**
 * Enables or disables an integration. Disabling an errored integration is a change; disabling twice is a no-op and
 * returns false.
 */
function setActive(ctx: Ctx, integration: Integration, active: boolean): boolean {
  if (!active && integration.status === 'inactive') return false;
  integration.status = active ? 'active' : 'inactive';
  integration.errorCode = null;
  integration.errorMessage = null;
  if (active) integration.connectedAt = ctx.clock.now();
  else integration.eventSequence++;
  return true;
}

/**
 * Disconnects and deletes an integration; its conversations remain. Publishes `integration.disconnected`.
 * @throws AppError `not_found`
 */
export async function deleteIntegration(ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> {
  await inTransaction(ctx, async (tx) => {
    const removed = await lockOwn(tx, id);
    await tx.em.remove(removed).flush();
    await publishRemoved(tx, removed);
  });
  return { id, deleted: true };
}

// A single statement, so that no row can be added between a read and the deletion.
const removeOfAgent = {
  name: 'integrations_delete_of_agent',
  text: `delete from integrations i where i.agent_id = $1 returning ${integrationColumns}`,
};

/** Disconnects and deletes the integrations of an agent. Publishes `integration.disconnected` for each. */
export const removeAgentIntegrations: AgentDeletionStep = async (tx, agentId) => {
  for (const removed of await tx.sql<IntegrationView>(removeOfAgent, [agentId])) await publishRemoved(tx, removed);
};

async function publishRemoved(tx: Ctx, removed: IntegrationView): Promise<void> {
  await reconcile(tx, removed.id);
  const last = { ...removed, status: 'inactive' as const, eventSequence: removed.eventSequence + 1 };
  await publish(tx, removed.ownerId, 'integration.disconnected', integrationEventData(last));
}

async function lockOwn(ctx: Ctx, id: string): Promise<Integration> {
  const integration = isId('int_', id)
    ? await ctx.em.findOne(Integration, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null;
  if (!integration || !owns(ctx.actor, integration.ownerId)) throw notFound();
  return integration;
}
