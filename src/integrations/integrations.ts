import { LockMode } from '@mikro-orm/core';
import { callerId } from '../accounts/caller.ts';
import type { AgentEnd } from '../agents/agent.ports.ts';
import { ownsAgent } from '../agents/agent.policy.ts';
import { getAgent } from '../agents/agents.ts';
import type { Ctx } from '../core/ctx.ts';
import { isForeignKeyViolation, violatedUnique } from '../core/database-errors.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isId, newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { publish } from '../core/outbox.ts';
import { enqueueTask } from '../core/tasks.ts';
import { inTransaction } from '../core/transaction.ts';
import { botTokenHash, sealBotToken } from './bot-token.ts';
import { Integration } from './integration.entity.ts';
import { integrationColumns, integrationEventData, type IntegrationView } from './integration.events.ts';
import {
  connectMessengerInput,
  connectServerInput,
  connectWorkspaceInput,
  updateIntegrationInput,
} from './integration.input.ts';
import { ownsIntegration } from './integration.policy.ts';
import type { PlatformKind } from './platforms.ports.ts';

/** Attaches an agent of the caller to channels of a community server. @throws AppError `invalid_request`, `not_found`, `conflict` */
export function connectServer(ctx: Ctx, input: unknown): Promise<IntegrationView> {
  const { guildId, ...rest } = parseInput(connectServerInput, input);
  return connect(ctx, { ...rest, platform: 'chat_server', place: guildId, autoRespond: false });
}

/** Attaches an agent of the caller to a messenger bot, which answers whoever writes to it. @throws AppError `invalid_request`, `not_found`, `conflict` */
export function connectMessenger(ctx: Ctx, input: unknown): Promise<IntegrationView> {
  const fields = parseInput(connectMessengerInput, input);
  return connect(ctx, { ...fields, platform: 'chat_messenger', place: '', channelIds: [], autoRespond: true });
}

/** Attaches an agent of the caller to channels of a workspace. @throws AppError `invalid_request`, `not_found`, `conflict` */
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

const insertConnection = {
  name: 'integration_connection_insert',
  text: `insert into integration_connections (integration_id) values ($1)`,
};

/** Answers at once; the connection is opened by a worker that hears of it, and tells then whether the token holds. */
async function connect(ctx: Ctx, { botToken, ...fields }: NewIntegration): Promise<IntegrationView> {
  const agent = await getAgent(ctx, fields.agentId);
  if (!ownsAgent(ctx.actor, agent)) throw notFound();
  const id = newId('integration');
  try {
    return await inTransaction(ctx, async (tx) => {
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
      await tx.sql(insertConnection, [id]);
      await reconcile(tx, id);
      return integration;
    });
  } catch (error) {
    if (violatedUnique(error) !== undefined) {
      throw new AppError('conflict', { message: 'This bot is connected to that place already.', cause: error });
    }
    throw isForeignKeyViolation(error) ? notFound() : error;
  }
}

/** Somebody who holds connections looks at once instead of in a second. */
const reconcile = (ctx: Ctx, id: string): Promise<void> =>
  enqueueTask(ctx, 'integration.reconcile', { integrationId: id }, { key: id });

const selectOwn = {
  name: 'integrations_list',
  text: `
    select ${integrationColumns} from integrations i
    where i.owner_id = $1 order by i.created_at desc, i.id desc`,
};

/** All of the caller's integrations, newest first. */
export const listIntegrations = (ctx: Ctx): Promise<IntegrationView[]> =>
  ctx.sql<IntegrationView>(selectOwn, [callerId(ctx)]);

const selectOne = {
  name: 'integration_get',
  text: `select ${integrationColumns} from integrations i where i.id = $1`,
};

/** One of the caller's integrations. @throws AppError `not_found` */
export async function getIntegration(ctx: Ctx, id: string): Promise<IntegrationView> {
  const [integration] = isId('integration', id) ? await ctx.sql<IntegrationView>(selectOne, [id]) : [];
  if (!integration || !ownsIntegration(ctx.actor, integration)) throw notFound();
  return integration;
}

const resetConnection = {
  name: 'integration_connection_reset',
  text: `
    update integration_connections
    set revision = revision + 1, announced = false, auth_failures = 0, paused_until = null, session = null
    where integration_id = $1`,
};

/**
 * Changes the fields present. `active` true opens a connection again, also one that ended in an error; false closes it
 * within seconds and publishes `integration.disconnected`. Channels apply to the next message, without a reconnect.
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
      await reconcile(tx, id);
      if (!active)
        await publish(tx, integration.ownerId, 'integration.disconnected', integrationEventData(integration));
    }
    return integration;
  });
}

/** False when it was off already: switching off what is in error is a change, switching off twice is none. */
function setActive(ctx: Ctx, integration: Integration, active: boolean): boolean {
  if (!active && integration.status === 'inactive') return false;
  integration.status = active ? 'active' : 'inactive';
  integration.errorCode = null;
  integration.errorMessage = null;
  if (active) integration.connectedAt = ctx.clock.now();
  else integration.eventSequence++;
  return true;
}

const removeOwn = {
  name: 'integration_delete',
  text: `delete from integrations i where i.id = $1 and i.owner_id = $2 returning ${integrationColumns}`,
};

/** Disconnects it and removes it; the conversations stay. Publishes `integration.disconnected`. @throws AppError `not_found` */
export async function deleteIntegration(ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> {
  if (!isId('integration', id)) throw notFound();
  await inTransaction(ctx, async (tx) => {
    const [removed] = await tx.sql<IntegrationView>(removeOwn, [id, callerId(tx)]);
    if (!removed) throw notFound();
    await tellRemoved(tx, removed);
  });
  return { id, deleted: true };
}

const removeOfAgent = {
  name: 'integrations_delete_of_agent',
  text: `delete from integrations i where i.agent_id = $1 returning ${integrationColumns}`,
};

/** Disconnects and removes what an agent is attached to. Publishes `integration.disconnected` for each. */
export const removeAgentIntegrations: AgentEnd = async (tx, agentId) => {
  for (const removed of await tx.sql<IntegrationView>(removeOfAgent, [agentId])) await tellRemoved(tx, removed);
};

async function tellRemoved(tx: Ctx, removed: IntegrationView): Promise<void> {
  await reconcile(tx, removed.id);
  const last = { ...removed, status: 'inactive' as const, eventSequence: removed.eventSequence + 1 };
  await publish(tx, removed.ownerId, 'integration.disconnected', integrationEventData(last));
}

async function lockOwn(ctx: Ctx, id: string): Promise<Integration> {
  const integration = isId('integration', id)
    ? await ctx.em.findOne(Integration, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null;
  if (!integration || !ownsIntegration(ctx.actor, integration)) throw notFound();
  return integration;
}
