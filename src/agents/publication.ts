import type { Ctx } from '../core/ctx.ts';
import { openCase } from '../moderation/cases.ts';
import { checkLater } from '../moderation/check-content.ts';
import type { Agent, AgentModerationState } from './agent.entity.ts';

/** The state of an agent that turns public: with `MARKETPLACE_REVIEW=before` it waits for a moderator. */
export const submittedState = ({ config }: Ctx): AgentModerationState =>
  config.moderation.review === 'before' ? 'in_review' : 'ok';

/** What follows in the transaction that makes an agent public: the steps of later features, a case if it waits, the content check. */
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

/** Fields of an agent that others read, whose change is checked again. */
export const publicFields = ['name', 'description', 'greetingMessage', 'avatarUrl'] as const;
