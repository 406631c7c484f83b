import type { Ctx } from '../core/ctx.ts';
import { openCase } from '../moderation/cases.ts';
import { checkLater } from '../moderation/check-content.ts';
import type { Agent, AgentModerationState } from './agent.entity.ts';

/**
 * Returns the moderation state of an agent that becomes public. With `MARKETPLACE_REVIEW=before` it waits for a
 * moderator.
 */
export const submittedState = ({ config }: Ctx): AgentModerationState =>
  config.moderation.review === 'before' ? 'in_review' : 'ok';

/**
 * Completes the publication of an agent in its transaction: runs the steps of other features, opens a moderation case
 * if the agent waits for review, and enqueues the content check.
 */
export async function submitAgent(
  tx: Ctx,
  agent: Pick<Agent, 'id' | 'name' | 'ownerId' | 'moderationState'>,
): Promise<void> {
  for (const { onAgentPublished = [] } of tx.catalog.features)
    for (const step of onAgentPublished) await step(tx, agent);
  if (agent.moderationState === 'in_review') {
    await openCase(tx, { type: 'agent', id: agent.id, authorId: agent.ownerId }, { marks: ['waiting'] });
  }
  await checkLater(tx, 'agent', agent.id);
}

/** Fields of an agent that others read. A change of these is checked again. */
export const publicFields = ['name', 'description', 'greetingMessage', 'avatarUrl'] as const;
