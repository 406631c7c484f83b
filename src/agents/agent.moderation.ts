import type { Ctx } from '../core/ctx.ts';
import { isUuid } from '../core/ids.ts';
import { publish } from '../core/outbox.ts';
import { impersonates } from '../core/text/reserved-names.ts';
import type { ReportableKind, VisibilityAction } from '../moderation/subjects.ts';
import type { Agent, AgentModerationState } from './agent.entity.ts';
import { agentEventData } from './agent.events.ts';
import { canUseAgent } from './agent.policy.ts';
import { agentsByIds, getAgent } from './agents.ts';
import { readAgent } from './read-agent.ts';

/** Agents as a kind of content that users can report. */
export const reportableAgent: ReportableKind = {
  type: 'agent',
  async find(ctx, named) {
    const [agent] = isUuid(named) ? await agentsByIds(ctx, [named]) : [];
    return agent && canUseAgent(ctx.actor, agent) ? { id: agent.id, authorId: agent.ownerId } : null;
  },
  async show(ctx, id) {
    const agent = await readAgent(ctx, id);
    if (!agent) return null;
    const texts = [agent.description, agent.greetingMessage, ...(await textsOf(ctx, id))];
    return {
      authorId: agent.ownerId,
      title: agent.name,
      text: texts.filter(Boolean).join('\n'),
      imageUrl: agent.avatarUrl ?? null,
      state: agent.moderationState,
      marks: impersonates(agent.name, ctx.config.moderation.protectedNames) ? ['impersonation'] : [],
    };
  },
  change: changeAgent,
  async onFlagged(tx, id) {
    if (tx.config.moderation.review === 'before') await tx.sql(review, [id]);
  },
};

const textsOf = (ctx: Ctx, id: string): Promise<(string | null)[]> =>
  Promise.all(ctx.catalog.features.flatMap(({ agentTexts = [] }) => agentTexts.map((text) => text(ctx, id))));

// Keeps `published_at`, so that an agent that was announced before is not announced again when it is approved.
const review = {
  name: 'agent_review',
  text: `
    update agents set moderation_state = 'in_review', published_at = coalesce(published_at, created_at)
    where id = $1 and is_public and moderation_state = 'ok'`,
};
const lock = {
  name: 'agent_moderation_lock',
  text: `
    select owner_id as "ownerId", is_public as "isPublic", moderation_state as "moderationState", published_at as "publishedAt"
    from agents where id = $1 and deleted_at is null for no key update`,
};
const setState = {
  name: 'agent_moderation_state',
  text: `
    update agents set moderation_state = $2, event_sequence = event_sequence + $3,
      published_at = case when $2 = 'ok' and is_public then coalesce(published_at, $4) else published_at end
    where id = $1 returning event_sequence as sequence`,
};

const states: Readonly<Record<VisibilityAction, AgentModerationState>> = {
  hold: 'held',
  remove: 'removed',
  restore: 'ok',
};

/**
 * Changes the moderation state. Publishes `agent.unpublished` when a public agent is removed, and `agent.published`
 * when a waiting one is approved.
 */
async function changeAgent(tx: Ctx, id: string, action: VisibilityAction): Promise<boolean> {
  type Locked = Pick<Agent, 'ownerId' | 'isPublic' | 'moderationState' | 'publishedAt'>;
  const [agent] = isUuid(id) ? await tx.sql<Locked>(lock, [id]) : [];
  if (!agent) return false;
  const before = agent.moderationState;
  const after = states[action];
  // A hold does not change an agent that waits for review or is removed.
  if (before === after || (action === 'hold' && before !== 'ok')) return false;
  const isUnpublished = after === 'removed' && agent.isPublic && before !== 'in_review';
  const isPublished = before === 'in_review' && after === 'ok' && agent.isPublic && !agent.publishedAt;
  const values = [id, after, isUnpublished || isPublished ? 1 : 0, tx.clock.now()];
  const [{ sequence } = { sequence: 0 }] = await tx.sql<{ sequence: number }>(setState, values);
  if (isUnpublished)
    await publish(tx, agent.ownerId, 'agent.unpublished', { agentId: id, reason: 'moderation', sequence });
  if (isPublished)
    await publish(tx, agent.ownerId, 'agent.published', agentEventData(await getAgent(tx, id), sequence));
  return true;
}
