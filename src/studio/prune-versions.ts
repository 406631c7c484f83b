import type { Plan } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';

const readPlan = {
  name: 'agent_version_plan',
  text: `select u.plan from agents a join users u on u.id = a.owner_id where a.id = $1`,
};
const removeOldest = {
  name: 'agent_version_remove_oldest',
  text: `
    delete from agent_versions where id = (
      select v.id from agent_versions v join agents a on a.id = v.agent_id
      where v.agent_id = $1 and v.id is distinct from a.live_version_id
        and v.number < (select max(number) from agent_versions where agent_id = $1) and not exists (
        select from experiments x where x.agent_id = $1 and x.status <> 'ended' and x.deleted_at is null
          and x.variants @> jsonb_build_array(jsonb_build_object('versionId', v.id)))
      order by v.number limit 1
    ) and (select count(*) from agent_versions where agent_id = $1) > $2`,
};

/**
 * Deletes the oldest deletable version of an agent that has more versions than its owner's plan keeps. The newest
 * version, the live version and versions in experiments that have not ended are never deleted. Each call deletes at
 * most one version, so a downgrade deletes nothing by itself.
 */
export async function pruneVersions(tx: Ctx, agentId: string): Promise<void> {
  const [{ plan } = { plan: 'free' as Plan }] = await tx.sql<{ plan: Plan }>(readPlan, [agentId]);
  await tx.sql(removeOldest, [agentId, tx.catalog.planLimits.versionsPerAgent[plan]]);
}
