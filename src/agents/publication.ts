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

/** Fields of every public agent that others read. */
const publicFields = ['name', 'description', 'greetingMessage', 'avatarUrl'] as const;

type PublicText = Pick<Agent, (typeof publicFields)[number] | 'instructions'>;

/**
 * Returns whether the changes give a public agent text that others read, which is then checked again. Absent and cleared
 * fields need no check.
 */
export async function changesPublicText(
  tx: Ctx,
  agent: Agent,
  changes: { [Field in keyof PublicText]?: PublicText[Field] | undefined },
): Promise<boolean> {
  const isChanged = (field: keyof PublicText): boolean => Boolean(changes[field]) && changes[field] !== agent[field];
  if (publicFields.some(isChanged)) return true;
  return isChanged('instructions') && showsInstructions(tx, agent.id);
}

async function showsInstructions(tx: Ctx, agentId: string): Promise<boolean> {
  for (const feature of tx.catalog.features)
    for (const showsTo of feature.showsInstructions ?? []) if (await showsTo(tx, agentId)) return true;
  return false;
}
