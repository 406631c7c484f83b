import type { Ctx } from '../../core/ctx.ts';
import { newId } from '../../core/ids.ts';
import type { TaskRun } from '../../core/tasks/task-handler.ts';

const dayMs = 86_400_000;
/** Maximum age of the activities in a feed. */
export const feedWindowMs = 90 * dayMs;

// The lock on the agent's row prevents two concurrent calls from both inserting.
const insertPublished = {
  name: 'activity_published',
  text: `
    insert into activities (id, actor_id, type, agent_id, created_at)
    select $1, a.owner_id, 'agent_published', a.id, $3 from agents a
    where a.id = $2 and not exists (
      select from activities c
      where c.agent_id = a.id and c.actor_id = a.owner_id and c.type = 'agent_published' and c.created_at > $4)`,
};

/** Records that an agent became public, at most once in 24 hours. Call it while holding the lock of the agent's row. */
export async function notePublished(tx: Ctx, agent: { id: string }): Promise<void> {
  const now = tx.clock.now();
  await tx.sql(insertPublished, [newId('act_'), agent.id, now, new Date(now.getTime() - dayMs)]);
}

const insertShared = {
  name: 'activity_shared',
  text: `
    insert into activities (id, actor_id, type, agent_id, share_id, created_at)
    select $1, s.owner_id, s.type || '_shared', s.agent_id, s.id, $3 from shares s where s.id = $2`,
};

/** Records a share for the feeds of its owner's followers. */
export const noteShared = async (tx: Ctx, shareId: string): Promise<void> =>
  void (await tx.sql(insertShared, [newId('act_'), shareId, tx.clock.now()]));

const batchSize = 1_000;
const ageOld = {
  name: 'activities_age',
  text: `
    update activities set recent = false where id = any (array(
      select id from activities where recent and created_at <= $1 order by created_at, id limit ${batchSize}))
    returning 1`,
};

/** Removes activities that are too old for any feed from the index of feeds, in batches. */
export async function ageActivities(ctx: Ctx, run: TaskRun): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - feedWindowMs);
  while ((await ctx.sql(ageOld, [before])).length === batchSize) await run.heartbeat();
}
