import type { Ctx } from '../core/ctx.ts';
import { notFound } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Agent } from './agent.entity.ts';
import type { VersionFields } from './agent-version.entity.ts';

/** Fields of an agent that a version contains. All others are presentation. */
export type Behaviour = Pick<Agent, (typeof behaviourFields)[number]>;

export const behaviourFields = ['instructions', 'model', 'greetingMessage', 'voiceId'] as const;

/** Returns whether the changes would alter the behaviour. Absent fields keep their value. */
export const changesBehaviour = (agent: Behaviour, changes: { [Field in keyof Behaviour]?: unknown }): boolean =>
  behaviourFields.some((field) => changes[field] !== undefined && changes[field] !== (agent[field] ?? null));

const lockAgent = {
  name: 'agent_version_lock',
  text: `
    select live_version_id as "liveVersionId" from agents where id = $1 and deleted_at is null for no key update`,
};
// The number continues after the last version if there is one: an instance of an earlier release has then changed the
// agent without a version.
const insertLive = {
  name: 'agent_version_insert_live',
  text: `
    with v as (
      insert into agent_versions (id, agent_id, number, instructions, model, greeting_message, voice_id, origin, created_at, published_at)
      select $2, a.id, n.last + 1, a.instructions, a.model, a.greeting_message, a.voice_id,
        case when n.last = 0 then $4 else 'edit' end, d.moment, d.moment
      from agents a
      cross join lateral (select coalesce(max(o.number), 0) as last from agent_versions o where o.agent_id = a.id) n
      cross join lateral (select case when n.last = 0 then a.created_at else $3::timestamptz end as moment) d
      where a.id = $1
      returning id
    )
    update agents set live_version_id = v.id from v where agents.id = $1`,
};

/**
 * Locks an agent and returns the id of its live version. The first version of an agent is created here, when one is
 * needed for the first time, with `firstOrigin`. Call it inside a transaction.
 * @throws AppError `not_found`
 */
export async function lockLiveVersion(
  tx: Ctx,
  agentId: string,
  firstOrigin: 'created' | 'copy' = 'created',
): Promise<string> {
  const [agent] = await tx.sql<{ liveVersionId: string | null }>(lockAgent, [agentId]);
  if (!agent) throw notFound();
  if (agent.liveVersionId) return agent.liveVersionId;
  const id = newId('ver_');
  await tx.sql(insertLive, [agentId, id, tx.clock.now(), firstOrigin]);
  return id;
}

const insertVersion = {
  name: 'agent_version_insert',
  text: `
    insert into agent_versions (id, agent_id, number, instructions, model, greeting_message, voice_id, note, origin, created_at, published_at)
    values ($1, $2, (select coalesce(max(o.number), 0) + 1 from agent_versions o where o.agent_id = $2), $3, $4, $5, $6, $7, $8, $9, $10)
    returning number`,
};

type NewVersion = Pick<VersionFields, 'agentId' | 'note' | 'origin' | 'publishedAt'> & Behaviour;

/** Stores the next version of an agent. The caller holds the lock of the agent. */
export async function insertAgentVersion(tx: Ctx, version: NewVersion): Promise<VersionFields> {
  const id = newId('ver_');
  const createdAt = tx.clock.now();
  const { agentId, instructions, model, note, origin, publishedAt } = version;
  const greetingMessage = version.greetingMessage ?? null;
  const voiceId = version.voiceId ?? null;
  const values = [id, agentId, instructions, model, greetingMessage, voiceId, note, origin, createdAt, publishedAt];
  const [{ number } = { number: 1 }] = await tx.sql<{ number: number }>(insertVersion, values);
  return { ...version, id, number, greetingMessage, voiceId, note, createdAt, publishedAt };
}
