import type { Ctx } from '../core/ctx.ts';
import { publish } from '../core/outbox.ts';
import { checkLater } from '../moderation/check-content.ts';
import { requireUnrestricted } from '../moderation/restrictions.ts';
import type { Agent } from './agent.entity.ts';
import { agentEventData } from './agent.events.ts';
import type { VersionFields } from './agent-version.entity.ts';
import { agentVersionEventData } from './agent-version.events.ts';
import { getAgent } from './agents.ts';

const copyToAgent = {
  name: 'agent_version_make_live',
  text: `
    with v as (update agent_versions set published_at = $3 where id = $2 returning *)
    update agents a set instructions = v.instructions, model = v.model, greeting_message = v.greeting_message,
      voice_id = v.voice_id, live_version_id = v.id, event_sequence = a.event_sequence + 2, updated_at = $3
    from v where a.id = $1 returning a.event_sequence as sequence`,
};

/**
 * Makes a version live and copies its fields to the agent. The caller holds the lock of the agent. Publishes
 * `agent.updated` and `agent.version_published`.
 * @throws AppError `forbidden` for a public agent of a restricted account
 */
export async function makeLive(
  tx: Ctx,
  agent: Pick<Agent, 'id' | 'ownerId'>,
  version: VersionFields,
): Promise<VersionFields> {
  const { isPublic } = await getAgent(tx, agent.id);
  if (isPublic) await requireUnrestricted(tx);
  const publishedAt = tx.clock.now();
  const [{ sequence } = { sequence: 0 }] = await tx.sql<{ sequence: number }>(copyToAgent, [
    agent.id,
    version.id,
    publishedAt,
  ]);
  const live = { ...version, publishedAt };
  await publish(tx, agent.ownerId, 'agent.updated', agentEventData(await getAgent(tx, agent.id), sequence - 1));
  if (isPublic) await checkLater(tx, 'agent', agent.id);
  const data = agentVersionEventData(live, { isLive: true, sequence });
  await publish(tx, agent.ownerId, 'agent.version_published', data);
  return live;
}
