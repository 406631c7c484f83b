import { owns } from '../core/actor.ts';
import type { Agent } from '../agents/agent.entity.ts';
import { getAgent, insertAgentOfCaller } from '../agents/agents.ts';
import { lockLiveVersion } from '../agents/live-version.ts';
import type { Ctx } from '../core/ctx.ts';
import { inTransaction } from '../core/database/transaction.ts';
import { AppError, notFound } from '../core/errors.ts';

const isOpenToCopies = {
  name: 'listing_is_open',
  text: `
    select 1 as open from listings l join agents a on a.id = l.agent_id
    where l.agent_id = $1 and l.allow_copies and a.moderation_state = 'ok'`,
};
const rememberSource = {
  name: 'listing_copied',
  text: `insert into listings (agent_id, copied_from, created_at, updated_at) values ($1, $2, $3, $3)`,
};

const maxName = 80;
const suffix = ' (copy)';

/**
 * Copies an agent of the caller, or one whose owner allows copies, to a private agent of the caller. Knowledge,
 * integrations and the listing are not copied.
 * @throws AppError `not_found`, `forbidden` for an agent that moderators removed or hid, `plan_limit_exceeded`
 */
export async function copyAgent(ctx: Ctx, agentId: string): Promise<Agent> {
  const source = await getAgent(ctx, agentId);
  return inTransaction(ctx, async (tx) => {
    if (!owns(tx.actor, source.ownerId) && (await tx.sql(isOpenToCopies, [agentId])).length === 0) throw notFound();
    requireNoDecision(source);
    const { description, instructions, model, avatarUrl, category, greetingMessage, voiceId } = source;
    const copy = await insertAgentOfCaller(tx, {
      name: `${[...source.name].slice(0, maxName - suffix.length).join('')}${suffix}`,
      description,
      instructions,
      model,
      avatarUrl,
      category,
      greetingMessage,
      voiceId,
      isPublic: false,
    });
    await tx.sql(rememberSource, [copy.id, agentId, tx.clock.now()]);
    await lockLiveVersion(tx, copy.id, 'copy');
    return copy;
  });
}

/** A copy has no decision, so its owner could publish again what moderators took down. */
function requireNoDecision({ moderationState }: Agent): void {
  if (moderationState !== 'removed' && moderationState !== 'held') return;
  const message = 'Moderators removed or hid this agent, so it cannot be copied. You can appeal the decision.';
  throw new AppError('forbidden', { message });
}
