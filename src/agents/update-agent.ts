import type { Ctx } from '../core/ctx.ts';
import { parseInput } from '../core/input.ts';
import { publish } from '../core/outbox.ts';
import { inTransaction } from '../core/database/transaction.ts';
import type { Agent } from './agent.entity.ts';
import { agentEventData } from './agent.events.ts';
import { updateAgentInput } from './agent.input.ts';
import { runAgentSteps } from './agent-steps.ts';
import type { VersionFields } from './agent-version.entity.ts';
import { agentVersionEventData } from './agent-version.events.ts';
import { getAgent, lockOwnAgent } from './agents.ts';
import { type Behaviour, changesBehaviour, insertAgentVersion, lockLiveVersion } from './live-version.ts';

/**
 * Changes the fields that are present. A changed behaviour is a new version, live at once. Publishes `agent.updated`,
 * `agent.published` when it turns public, `agent.version_created` and `agent.version_published` for a new version.
 * @throws AppError `invalid_request`, `not_found`, `conflict` while an experiment is under way
 */
export async function updateAgent(ctx: Ctx, id: string, input: unknown): Promise<Agent> {
  const changes = parseInput(updateAgentInput, input);
  await inTransaction(ctx, async (tx) => {
    const agent = await lockOwnAgent(tx, id);
    const published = changes.isPublic === true && !agent.isPublic;
    const unpublished = changes.isPublic === false && agent.isPublic;
    const version = changesBehaviour(agent, changes) ? await addEdit(tx, agent, changes) : null;
    const sequence = agent.eventSequence + 1;
    const versionSequence = sequence + (published ? 1 : 0);
    tx.em.assign(
      agent,
      {
        ...changes,
        eventSequence: versionSequence + (version ? 2 : 0),
        liveVersionId: version?.id,
        updatedAt: tx.clock.now(),
      },
      { ignoreUndefined: true },
    );
    await tx.em.flush();
    const changed = await getAgent(tx, id);
    await publish(tx, agent.ownerId, 'agent.updated', agentEventData(changed, sequence));
    if (published) {
      await publish(tx, agent.ownerId, 'agent.published', agentEventData(changed, sequence + 1));
      await runAgentSteps(tx, id, ({ onAgentPublished }) => onAgentPublished);
    }
    if (unpublished) await runAgentSteps(tx, id, ({ onAgentUnpublished }) => onAgentUnpublished);
    if (version) await publishLive(tx, agent.ownerId, version, versionSequence + 1);
  });
  return getAgent(ctx, id);
}

/** Stores the behaviour after the changes as the next version. */
async function addEdit(tx: Ctx, agent: Agent, changes: Partial<Behaviour>): Promise<VersionFields> {
  await runAgentSteps(tx, agent.id, ({ beforeBehaviourChange }) => beforeBehaviourChange);
  await lockLiveVersion(tx, agent.id);
  const { instructions, model, greetingMessage, voiceId } = changes;
  const version = await insertAgentVersion(tx, {
    agentId: agent.id,
    instructions: instructions ?? agent.instructions,
    model: model ?? agent.model,
    greetingMessage: greetingMessage === undefined ? agent.greetingMessage : greetingMessage,
    voiceId: voiceId === undefined ? agent.voiceId : voiceId,
    note: null,
    origin: 'edit',
    publishedAt: tx.clock.now(),
  });
  await runAgentSteps(tx, agent.id, ({ onVersionAdded }) => onVersionAdded);
  return version;
}

async function publishLive(tx: Ctx, ownerId: string, version: VersionFields, sequence: number): Promise<void> {
  const data = (n: number) => agentVersionEventData(version, { isLive: true, sequence: sequence + n });
  await publish(tx, ownerId, 'agent.version_created', data(0));
  await publish(tx, ownerId, 'agent.version_published', data(1));
}
