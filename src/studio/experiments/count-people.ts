import type { Ctx } from '../../core/ctx.ts';
import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import { windowMs } from './experiment-age.ts';

const batchSize = 1_000;
/** Number of messages in the first day that count as success for the metric `continued`. */
const continuedMessages = 3;
const dayMs = windowMs.continued;

const sumExposed = {
  name: 'exposures_sum',
  text: `
    with seen as (
      update experiment_exposures e set summed = true
      from (select experiment_id, subject from experiment_exposures where not summed limit ${batchSize} for update skip locked) n
      where e.experiment_id = n.experiment_id and e.subject = n.subject
      returning e.experiment_id, e.variant
    )
    insert into experiment_sums as s (experiment_id, variant, exposed)
    select experiment_id, variant, count(*) from seen group by 1, 2 order by 1, 2
    on conflict (experiment_id, variant) do update set exposed = s.exposed + excluded.exposed
    returning (select count(*) from seen) as "batch"`,
};

const messagesOfPerson = `
  from messages m join conversations c on c.id = m.conversation_id
  where m.user_id = d.user_id and c.agent_id = d.agent_id and c.source = 'direct' and m.role = 'user'`;
const messagesOfConversation = `
  from messages m where m.conversation_id = d.subject and ${ofAccountUnindexed('m.user_id', 'd.user_id')} and m.role = 'user'`;
const isUser = 'd.subject = d.user_id';
const firstDay = `m.created_at >= d.exposed_at and m.created_at < d.exposed_at + interval '${dayMs} milliseconds'`;
const laterDays = `m.created_at >= d.exposed_at + interval '${dayMs} milliseconds' and m.created_at < d.window_ends_at`;

const continued = (messages: string): string =>
  `(select count(*) from (select ${messages} and ${firstDay} limit ${continuedMessages}) w) = ${continuedMessages}`;
const returned = (messages: string): string => `exists (select ${messages} and ${laterDays})`;

// If the experiment ended before the window, the outcome is unknown: the exposure is marked as counted, but not added
// to the sums.
const countDue = {
  name: 'exposures_count',
  text: `
    with due as materialized (
      select e.experiment_id, e.subject, e.variant, e.user_id, e.exposed_at, e.window_ends_at, x.agent_id, x.metric,
        x.ended_at is null or e.window_ends_at <= x.ended_at as "isWhole"
      from experiment_exposures e join experiments x on x.id = e.experiment_id
      where e.counted_at is null and e.window_ends_at <= $1
      order by e.window_ends_at limit ${batchSize} for update of e skip locked
    ), judged as (
      select d.*, case when not "isWhole" then null
        when metric = 'continued' and ${isUser} then ${continued(messagesOfPerson)}
        when metric = 'continued' then ${continued(messagesOfConversation)}
        when ${isUser} then ${returned(messagesOfPerson)}
        else ${returned(messagesOfConversation)} end as success
      from due d
    ), counted as (
      update experiment_exposures e set counted_at = $1, success = j.success from judged j
      where e.experiment_id = j.experiment_id and e.subject = j.subject
      returning e.experiment_id, e.variant, e.success
    ), summed as (
      insert into experiment_sums as s (experiment_id, variant, people, successes)
      select experiment_id, variant, count(*), count(*) filter (where success) from counted
      where success is not null group by 1, 2 order by 1, 2
      on conflict (experiment_id, variant) do update set people = s.people + excluded.people, successes = s.successes + excluded.successes
    )
    select count(*) as "batch" from counted`,
};

/**
 * Adds new exposures to the sums of experiments, and outcomes once the window is over. Concurrent calls count each
 * person exactly once.
 */
export async function countExperimentPeople(ctx: Ctx, signal: AbortSignal): Promise<void> {
  for (let batch = batchSize; batch === batchSize;) {
    signal.throwIfAborted();
    batch = (await inTransaction(ctx, (tx) => tx.sql<{ batch: number }>(sumExposed)))[0]?.batch ?? 0;
  }
  for (let batch = batchSize; batch === batchSize;) {
    signal.throwIfAborted();
    const [row] = await inTransaction(ctx, (tx) => tx.sql<{ batch: number }>(countDue, [tx.clock.now()]));
    batch = row?.batch ?? 0;
  }
}
