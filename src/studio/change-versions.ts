import { lockOwnAgent } from '../agents/agents.ts';
import { runAgentSteps } from '../agents/agent-steps.ts';
import { agentVersionEventData } from '../agents/agent-version.events.ts';
import { insertAgentVersion, lockLiveVersion } from '../agents/live-version.ts';
import { makeLive } from '../agents/make-live.ts';
import { hasScope } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { AppError } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { publish } from '../core/outbox.ts';
import { createVersionInput } from './version.input.ts';
import { findVersion, type ShownVersion } from './versions.ts';

const nextSequence = {
  name: 'agent_version_sequence',
  text: `update agents set event_sequence = event_sequence + 1 where id = $1 returning event_sequence as sequence`,
};

/**
 * Creates a draft from the agent's current behaviour and the given changes, and publishes `agent.version_created`. A
 * draft replies only in conversations that are pinned to it and in experiments.
 * @throws AppError `invalid_request`, `not_found`
 */
export async function createVersion(ctx: Ctx, agentId: string, input: unknown): Promise<ShownVersion> {
  const { note = null, ...given } = parseInput(createVersionInput, input);
  return inTransaction(ctx, async (tx) => {
    const agent = await lockOwnAgent(tx, agentId);
    await lockLiveVersion(tx, agent.id);
    const version = await insertAgentVersion(tx, {
      agentId: agent.id,
      instructions: given.instructions ?? agent.instructions,
      model: given.model ?? agent.model,
      greetingMessage: given.greetingMessage === undefined ? agent.greetingMessage : given.greetingMessage,
      voiceId: given.voiceId === undefined ? agent.voiceId : given.voiceId,
      note,
      origin: 'draft',
      publishedAt: null,
    });
    await runAgentSteps(tx, agent.id, ({ onVersionAdded }) => onVersionAdded);
    const [{ sequence } = { sequence: 0 }] = await tx.sql<{ sequence: number }>(nextSequence, [agent.id]);
    const data = agentVersionEventData(version, { isLive: false, sequence });
    await publish(tx, agent.ownerId, 'agent.version_created', data);
    return { ...version, isLive: false };
  });
}

/**
 * Makes a version live: publishes a draft or restores an earlier version. Publishes `agent.updated` and
 * `agent.version_published`. It is a no-op for the live version.
 * @throws AppError `insufficient_scope`, `not_found`, `conflict` while an experiment is running or paused
 */
export async function publishVersion(ctx: Ctx, agentId: string, id: string): Promise<ShownVersion> {
  requireAgentsWrite(ctx);
  return inTransaction(ctx, async (tx) => {
    const agent = await lockOwnAgent(tx, agentId);
    await lockLiveVersion(tx, agent.id);
    const version = await findVersion(tx, agent.id, id);
    if (version.isLive) return version;
    await runAgentSteps(tx, agent.id, ({ beforeBehaviourChange }) => beforeBehaviourChange);
    return { ...(await makeLive(tx, agent, version)), isLive: true };
  });
}

/**
 * Checks for the scope to change agents, which every change of the live behaviour requires.
 * @throws AppError `insufficient_scope`
 */
export function requireAgentsWrite({ actor }: Ctx): void {
  if (actor.kind !== 'user' || hasScope(actor.scopes, 'agents:write')) return;
  throw new AppError('insufficient_scope', { message: 'This operation also needs the scope `agents:write`.' });
}
