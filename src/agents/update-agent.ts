import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { parseInput } from '../core/input.ts';
import { publish } from '../core/outbox.ts';
import { inTransaction, isInTransaction } from '../core/database/transaction.ts';
import { AppError } from '../core/errors.ts';
import { checkLater } from '../moderation/check-content.ts';
import { requireUnrestricted } from '../moderation/restrictions.ts';
import type { Agent } from './agent.entity.ts';
import { agentEventData } from './agent.events.ts';
import { updateAgentInput } from './agent.input.ts';
import { isOpen } from './agent.policy.ts';
import { runAgentSteps } from './agent-steps.ts';
import type { VersionFields } from './agent-version.entity.ts';
import { agentVersionEventData } from './agent-version.events.ts';
import { getAgent, lockOwnAgent } from './agents.ts';
import { type Behaviour, changesBehaviour, insertAgentVersion, lockLiveVersion } from './live-version.ts';
import { changesPublicText, submitAgent, submittedState } from './publication.ts';

const hourSeconds = 3_600;

async function countChange(ctx: Ctx): Promise<void> {
  const { agentChangesPerHour } = ctx.config.rateLimits;
  const key = `agent-changes:${callerId(ctx)}`;
  const { retryAfterSeconds } = await ctx.ports.rateLimits.consume(key, agentChangesPerHour, hourSeconds);
  if (retryAfterSeconds === null) return;
  const message = `You can change your agents ${agentChangesPerHour} times an hour. Try again later.`;
  throw new AppError('rate_limited', { message, retryAfterSeconds });
}

/**
 * Updates the fields that are present. A change of the behaviour creates a new version, which is live immediately.
 * Publishes `agent.updated`, `agent.published` when the agent becomes public, `agent.unpublished` when it becomes
 * private, and `agent.version_created` and `agent.version_published` for a new version.
 * @throws AppError `invalid_request`, `not_found`, `conflict` while an experiment is running, `forbidden` for a public
 * agent of a restricted account, `rate_limited`
 */
export async function updateAgent(ctx: Ctx, id: string, input: unknown): Promise<Agent> {
  const changes = parseInput(updateAgentInput, input);
  if (!isInTransaction(ctx)) await countChange(ctx);
  await inTransaction(ctx, async (tx) => {
    const agent = await lockOwnAgent(tx, id);
    const wasOpen = isOpen(agent);
    const visibility = visibilityChange(tx, agent, changes.isPublic);
    const staysPublic = agent.isPublic && !visibility.becomesPrivate;
    // Clearing a field needs no check and stays allowed for a restricted account.
    const changesText = staysPublic && (await changesPublicText(tx, agent, changes));
    if (visibility.becomesPublic || changesText) await requireUnrestricted(tx);
    const version = changesBehaviour(agent, changes) ? await addEdit(tx, agent, changes) : null;
    const sequence = agent.eventSequence + 1;
    const isWithdrawn = visibility.becomesPrivate && wasOpen;
    const versionSequence = sequence + (visibility.isAnnounced || isWithdrawn ? 1 : 0);
    tx.em.assign(
      agent,
      {
        ...changes,
        moderationState: visibility.state,
        ...(visibility.isAnnounced && { publishedAt: tx.clock.now() }),
        ...(visibility.becomesPrivate && { publishedAt: null }),
        eventSequence: versionSequence + (version ? 2 : 0),
        liveVersionId: version?.id,
        updatedAt: tx.clock.now(),
      },
      { ignoreUndefined: true },
    );
    await tx.em.flush();
    const changed = await getAgent(tx, id);
    await publish(tx, agent.ownerId, 'agent.updated', agentEventData(changed, sequence));
    if (visibility.isAnnounced)
      await publish(tx, agent.ownerId, 'agent.published', agentEventData(changed, sequence + 1));
    if (visibility.becomesPublic) await submitAgent(tx, changed);
    else if (changesText) await checkLater(tx, 'agent', id);
    if (visibility.becomesPrivate) await runAgentSteps(tx, id, ({ onAgentUnpublished }) => onAgentUnpublished);
    if (isWithdrawn) {
      const data = { agentId: id, reason: 'owner' as const, sequence: sequence + 1 };
      await publish(tx, agent.ownerId, 'agent.unpublished', data);
    }
    if (version) await publishLive(tx, agent.ownerId, version, versionSequence + 1);
  });
  return getAgent(ctx, id);
}

/** Returns the effects of a change of `isPublic`. */
function visibilityChange(tx: Ctx, { isPublic, moderationState }: Agent, wanted: boolean | undefined) {
  const becomesPublic = wanted === true && !isPublic;
  const becomesPrivate = wanted === false && isPublic;
  let state = moderationState;
  if (becomesPublic && moderationState === 'ok') state = submittedState(tx);
  if (becomesPrivate && moderationState === 'in_review') state = 'ok';
  return { becomesPublic, becomesPrivate, state, isAnnounced: becomesPublic && (state === 'ok' || state === 'held') };
}

/** Stores the changed behaviour as the next version. */
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
