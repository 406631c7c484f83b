import { sendMail } from '../../accounts/mail/mails.ts';
import type { Ctx } from '../../core/ctx.ts';
import { inTransaction, lockThenRead } from '../../core/database/transaction.ts';
import type { Variant } from './assign-variant.ts';
import { countExperimentPeople } from './count-people.ts';
import { endExperiment } from './end-experiment.ts';
import { readSums } from './experiment-sums.ts';
import { failingVariant } from './judge.ts';

const pageSize = 200;

const listRunning = {
  name: 'experiments_running',
  text: `
    select x.id, x.agent_id as "agentId", x.variants from experiments x
    where x.status = 'running' and x.id > $1 order by x.id limit ${pageSize}`,
};

interface RunningExperiment {
  id: string;
  agentId: string;
  variants: Variant[];
}

/**
 * Counts new exposures and outcomes, pauses experiments beyond the limit of the owner's plan, and ends experiments with
 * a failing variant.
 */
export async function judgeExperiments(ctx: Ctx, signal: AbortSignal): Promise<void> {
  await countExperimentPeople(ctx, signal);
  await ctx.sql(pauseBeyondPlan, [JSON.stringify(ctx.catalog.planLimits.runningExperiments)]);
  for (let after = ''; ;) {
    signal.throwIfAborted();
    const running = await ctx.sql<RunningExperiment>(listRunning, [after]);
    for (const experiment of running) await guard(ctx, experiment);
    const last = running.at(-1);
    if (!last || running.length < pageSize) return;
    after = last.id;
  }
}

// Experiments that were started first keep running.
const pauseBeyondPlan = {
  name: 'experiments_pause_beyond_plan',
  text: `
    update experiments set status = 'paused' where status = 'running' and id in (
      select r.id from (
        select x.id, u.plan, row_number() over (partition by a.owner_id order by x.started_at, x.id) as place
        from experiments x join agents a on a.id = x.agent_id join users u on u.id = a.owner_id
        where x.status = 'running' and a.deleted_at is null
      ) r where r.place > ($1::jsonb->>r.plan)::integer)`,
};

const lockAgent = { name: 'experiment_lock_agent', text: `select from agents where id = $1 for no key update` };
const findRunning = {
  name: 'experiment_still_running',
  text: `
    select a.name, a.owner_id as "ownerId", x.name as "experimentName"
    from agents a join experiments x on x.agent_id = a.id
    where x.id = $1 and x.status = 'running' and a.deleted_at is null`,
};
interface Guarded {
  name: string;
  ownerId: string;
  experimentName: string;
}

/** Ends an experiment with a failing variant and emails the owner. */
async function guard(ctx: Ctx, experiment: RunningExperiment): Promise<void> {
  const sums = await readSums(ctx, experiment);
  const variant = failingVariant(sums.map(({ key, replies, failed }) => ({ key, replies: replies + failed, failed })));
  if (!variant) return;
  await inTransaction(ctx, async (tx) => {
    const lock = [lockAgent, [experiment.agentId]] as const;
    const [agent] = await lockThenRead<Guarded>(tx, lock, [findRunning, [experiment.id]]);
    if (!agent) return;
    await endExperiment(tx, experiment, { reason: 'guardrail' });
    await sendMail(tx, {
      userId: agent.ownerId,
      template: 'experimentEnded',
      data: { experiment: agent.experimentName, agent: agent.name, agentId: experiment.agentId, variant },
    });
  });
  ctx.log.warn({ experimentId: experiment.id, variant }, 'ended an experiment whose variant fails');
}
