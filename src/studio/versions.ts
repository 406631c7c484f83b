import { owns } from '../core/actor.ts';
import type { Agent } from '../agents/agent.entity.ts';
import { AgentVersion, type VersionFields } from '../agents/agent-version.entity.ts';
import { getAgent } from '../agents/agents.ts';
import { behaviourFields, lockLiveVersion } from '../agents/live-version.ts';
import type { Ctx } from '../core/ctx.ts';
import { columnsOf } from '../core/database/columns-of.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { notFound } from '../core/errors.ts';
import { isId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { snakeCase } from '../core/wire.ts';
import { listVersionsInput } from './version.input.ts';

/** A version, with whether it is the live one. */
export type ShownVersion = VersionFields & { isLive: boolean };

/** A field whose value differs between two versions. */
export interface VersionChange {
  /** Name of the field in snake case, such as `greeting_message`. */
  field: string;
  before: string | null;
  after: string | null;
}

const versionColumns = `${columnsOf(AgentVersion, 'v')}, v.id = a.live_version_id as "isLive"`;
const versionsOfAgent = 'agent_versions v join agents a on a.id = v.agent_id where v.agent_id = $1';

const listOfAgent = orderedList<ShownVersion>({
  name: 'agent_versions_list',
  columns: versionColumns,
  from: versionsOfAgent,
  valueCount: 1,
  key: { column: 'v.number', kind: 'integer', of: (version) => version.number },
});
const countOfAgent = {
  name: 'agent_versions_count',
  text: `select count(*) as total from agent_versions where agent_id = $1`,
};

/**
 * Lists the versions of one of the caller's agents, newest first.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function listVersions(ctx: Ctx, agentId: string, input: unknown): Promise<Page<ShownVersion>> {
  const page = parseInput(listVersionsInput, input);
  const agent = await getVersionedAgent(ctx, agentId);
  return withTotal(ctx, readSlice(ctx, listOfAgent, [agent.id], page), page, countOfAgent, [agent.id]);
}

/**
 * Returns one of the caller's agents and creates its first version if it has none.
 * @throws AppError `not_found`, also for a public agent of another user
 */
export async function getVersionedAgent(ctx: Ctx, agentId: string): Promise<Agent> {
  const agent = await getAgent(ctx, agentId);
  if (!owns(ctx.actor, agent.ownerId)) throw notFound();
  if (!agent.liveVersionId) await inTransaction(ctx, (tx) => lockLiveVersion(tx, agent.id));
  return agent;
}

const selectVersion = {
  name: 'agent_version_get',
  text: `select ${versionColumns} from ${versionsOfAgent} and v.id = $2`,
};

/**
 * Returns a version of an agent. Performs no authorization check.
 * @throws AppError `not_found`
 */
export async function findVersion(ctx: Ctx, agentId: string, id: string): Promise<ShownVersion> {
  const [version] = isId('ver_', id) ? await ctx.sql<ShownVersion>(selectVersion, [agentId, id]) : [];
  if (!version) throw notFound();
  return version;
}

/**
 * Returns a version of one of the caller's agents. With `compareTo`, the id of another version, `changes` lists the
 * fields that differ, with the other version as `before`.
 * @throws AppError `not_found`
 */
export async function getVersion(
  ctx: Ctx,
  agentId: string,
  id: string,
  compareTo?: string | null,
): Promise<ShownVersion & { changes: VersionChange[] | null }> {
  const agent = await getVersionedAgent(ctx, agentId);
  const version = await findVersion(ctx, agent.id, id);
  const before = compareTo ? await findVersion(ctx, agent.id, compareTo) : null;
  return { ...version, changes: before && changesBetween(before, version) };
}

const changesBetween = (before: VersionFields, after: VersionFields): VersionChange[] =>
  behaviourFields
    .map((field) => ({ field: snakeCase(field), before: before[field] ?? null, after: after[field] ?? null }))
    .filter((change) => change.before !== change.after);

const selectLive = {
  name: 'agent_versions_live',
  text: `
    select ${versionColumns} from agents a join agent_versions v on v.id = a.live_version_id
    where a.id = any ($1) and a.owner_id = $2 and a.deleted_at is null`,
};
const listUnversioned = {
  name: 'agents_unversioned',
  text: `
    select id from agents where id = any ($1) and owner_id = $2 and live_version_id is null and deleted_at is null order by id`,
};

/**
 * Returns the live versions of those of the given agents that the caller owns. Creates the first version of agents that
 * have none.
 */
export async function liveVersionsOf(ctx: Ctx, agentIds: readonly string[]): Promise<ShownVersion[]> {
  if (ctx.actor.kind !== 'user') return [];
  const values = [agentIds, ctx.actor.userId];
  for (const { id } of await ctx.sql<{ id: string }>(listUnversioned, values))
    await inTransaction(ctx, (tx) => lockLiveVersion(tx, id));
  return ctx.sql<ShownVersion>(selectLive, values);
}
