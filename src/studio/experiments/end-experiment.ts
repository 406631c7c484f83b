import type { Ctx } from '../../core/ctx.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import { AppError } from '../../core/errors.ts';
import { publish } from '../../core/outbox.ts';
import { type EndedReason, Experiment } from './experiment.entity.ts';
import { experimentEventData } from './experiment.events.ts';
import { readSums } from './experiment-sums.ts';
import { isOldEnough } from './experiment-age.ts';
import { judge } from './judge.ts';

const setEnded = {
  name: 'experiment_set_ended',
  text: `
    update experiments x set status = 'ended', ended_at = $2, ended_reason = $3, winner_version_id = $4
    from agents a where x.id = $1 and a.id = x.agent_id and x.status in ('running', 'paused')
    returning ${columnsOf(Experiment, 'x')}, a.owner_id as "ownerId"`,
};

interface End {
  reason: EndedReason;
  winnerVersionId?: string;
}

/**
 * Ends a running or paused experiment and publishes `experiment.ended`; otherwise a no-op. Call it while holding the
 * agent's lock.
 */
export async function endExperiment(tx: Ctx, { id }: Pick<Experiment, 'id'>, end: End): Promise<void> {
  const values = [id, tx.clock.now(), end.reason, end.winnerVersionId ?? null];
  const [ended] = await tx.sql<Experiment & { ownerId: string }>(setEnded, values);
  if (!ended) return;
  const { expectedPeople } = ended;
  const { verdict } = judge(await readSums(tx, ended), { expectedPeople, isOldEnough: isOldEnough(tx, ended) });
  const sequence = await nextAgentSequence(tx, ended.agentId);
  await publish(tx, ended.ownerId, 'experiment.ended', { ...experimentEventData(ended, sequence), verdict });
}

const nextSequence = {
  name: 'experiment_sequence',
  text: `update agents set event_sequence = event_sequence + 1 where id = $1 returning event_sequence as sequence`,
};

/** Increments and returns the sequence number of the agent's events. */
export async function nextAgentSequence(tx: Ctx, agentId: string): Promise<number> {
  const [row] = await tx.sql<{ sequence: number }>(nextSequence, [agentId]);
  return row?.sequence ?? 0;
}

const findActive = {
  name: 'experiment_under_way',
  text: `select id, name from experiments where agent_id = $1 and status in ('running', 'paused')`,
};

interface ActiveExperiment {
  id: string;
  name: string;
}

/**
 * Rejects a change of an agent's live behaviour while an experiment is running or paused, because people in the
 * experiment would not get the change.
 * @throws AppError `conflict`
 */
export async function refuseDuringExperiment(tx: Ctx, agentId: string): Promise<void> {
  const [found] = await tx.sql<ActiveExperiment>(findActive, [agentId]);
  if (!found) return;
  throw new AppError('conflict', {
    message: `The experiment "${found.name}" (${found.id}) is under way with this agent. Conclude or stop it first.`,
  });
}

/** Ends the active experiment, if any, of an agent that was made private. */
export async function endWhenUnpublished(tx: Ctx, agentId: string): Promise<void> {
  const [found] = await tx.sql<ActiveExperiment>(findActive, [agentId]);
  if (found) await endExperiment(tx, found, { reason: 'agent_unpublished' });
}
