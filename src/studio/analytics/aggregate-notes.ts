import type { Ctx } from '../../core/ctx.ts';
import { ofAccountUnindexed } from '../../core/database/of-account.ts';
import { inTransaction } from '../../core/database/transaction.ts';
import type { UseSource } from '../conversation-source.ts';
import { cellsOf, type NotedReply, peopleOf, sumsOf } from './note-cells.ts';

const batchSize = 5_000;

// The person is the user or, outside of direct conversations, the conversation. Use by the agent's owner is dropped. In
// a room, the person is the user who triggered the turn, and replies of agents to each other are not counted as
// messages. A rating belongs to the day and version of the rated reply. A late rating counts only for experiments,
// because figures of past days are final. The account of a note selects the partition of its reply; only that of a note
// from an earlier release is looked up.
const take = {
  name: 'studio_notes_take',
  text: `
    with taken as (
      delete from studio_notes where id in (select id from studio_notes order by id limit ${batchSize} for update skip locked)
      returning generation_id, turn_id, message_id, thumbs_up, thumbs_down, created_at, coalesce(
        user_id, (select user_id from generations where id = generation_id),
        (select user_id from messages where id = message_id)) as account
    )
    select c.agent_id as "agentId", c.source, c.user_id as "userId", s.subject, coalesce(v.number, 0) as "versionNumber",
      to_char(coalesce(r.created_at, n.created_at) at time zone 'utc', 'YYYY-MM-DD') as day,
      n.message_id is not null as "isRating", coalesce(
        (r.created_at at time zone 'utc')::date < (n.created_at at time zone 'utc')::date, false) as "isLate", n.thumbs_up as "thumbsUp", n.thumbs_down as "thumbsDown",
      g.state, g.is_regeneration as "isRegeneration", g.input_tokens as "inputTokens", g.output_tokens as "outputTokens",
      g.first_words_ms as "firstWordsMs",
      (extract(epoch from g.finished_at - g.created_at) * 1000)::integer as "replyMs",
      f.is_first as "isMessage",
      f.is_first and not exists (
        select from messages e
        where e.conversation_id = um.conversation_id and ${ofAccountUnindexed('e.user_id', 'n.account')} and e.role = 'user'
          and e.position < um.position
      ) as "isConversation",
      x.id as "experimentId", xe.variant
    from taken n
    left join messages r on r.id = n.message_id and r.user_id = n.account
    cross join lateral (
      select coalesce(n.generation_id, (
        select o.id from generations o
        where o.user_message_id = r.parent_id and o.user_id = n.account and o.assistant_message_id = r.id limit 1
      )) as id
    ) attempt
    join generations g on g.id = attempt.id and g.user_id = n.account
    join conversations c on c.id = g.conversation_id
    join agents a on a.id = c.agent_id
    join messages um on um.id = g.user_message_id and um.user_id = n.account
    cross join lateral (select case c.source when 'direct' then c.user_id else c.id end as subject) s
    cross join lateral (
      select n.message_id is null and not g.is_regeneration and not exists (
        select from generations o
        where o.user_message_id = g.user_message_id and o.user_id = n.account and o.id <> g.id and o.created_at < g.created_at
      ) as is_first
    ) f
    left join agent_versions v on v.id = g.version_id
    left join experiments x on x.agent_id = c.agent_id and x.status in ('running', 'paused')
    left join experiment_exposures xe on xe.experiment_id = x.id and xe.subject = s.subject and exists (
      select from jsonb_array_elements(x.variants) i where i->>'key' = xe.variant and i->>'versionId' = g.version_id)
    where c.source <> 'direct' or c.user_id <> a.owner_id
    union all
    select t.agent_id, 'room', t.user_id, t.user_id, coalesce(v.number, 0),
      to_char(n.created_at at time zone 'utc', 'YYYY-MM-DD'), false, false, 0, 0, t.state, false, t.input_tokens, t.output_tokens,
      t.first_words_ms, (extract(epoch from t.finished_at - t.started_at) * 1000)::integer, t.hop = 0, false, null, null
    from taken n
    join room_turns t on t.id = n.turn_id
    join agents a on a.id = t.agent_id
    left join agent_versions v on v.id = t.version_id
    where t.user_id <> a.owner_id`,
};
const oldestLeft = { name: 'studio_notes_left', text: `select id from studio_notes order by id limit 1` };

/** Returns SQL for the sum of two histograms; the first may be null. */
const sumOfArrays = (a: string, b: string): string =>
  `(select array_agg(coalesce(h.a, 0) + h.b order by h.n) from unnest(${a}, ${b}) with ordinality h (a, b, n))`;

const addDays = {
  name: 'studio_days_add',
  text: `
    insert into agent_days as d (agent_id, day, version_number, source, conversations, messages, replies, failed, stopped,
      regenerated, thumbs_up, thumbs_down, input_tokens, output_tokens, first_words, reply_times)
    select r.* from jsonb_to_recordset($1::jsonb) as r (agent_id text, day date, version_number integer, source text,
      conversations integer, messages integer, replies integer, failed integer, stopped integer, regenerated integer,
      thumbs_up integer, thumbs_down integer, input_tokens bigint, output_tokens bigint, first_words integer[], reply_times integer[])
    order by r.agent_id, r.day, r.version_number, r.source
    on conflict (agent_id, day, version_number, source) do update set
      conversations = d.conversations + excluded.conversations, messages = d.messages + excluded.messages,
      replies = d.replies + excluded.replies, failed = d.failed + excluded.failed, stopped = d.stopped + excluded.stopped,
      regenerated = d.regenerated + excluded.regenerated,
      thumbs_up = d.thumbs_up + excluded.thumbs_up, thumbs_down = d.thumbs_down + excluded.thumbs_down,
      input_tokens = d.input_tokens + excluded.input_tokens, output_tokens = d.output_tokens + excluded.output_tokens,
      first_words = ${sumOfArrays('d.first_words', 'excluded.first_words')},
      reply_times = ${sumOfArrays('d.reply_times', 'excluded.reply_times')}`,
};
const addPeople = {
  name: 'studio_people_add',
  text: `
    insert into agent_day_users as d (agent_id, day, subject, version_number, source, user_id, messages)
    select r.* from jsonb_to_recordset($1::jsonb) as r (agent_id text, day date, subject text, version_number integer,
      source text, user_id text, messages integer)
    order by r.agent_id, r.day, r.subject, r.version_number, r.source
    on conflict (agent_id, day, subject, version_number, source) do update set messages = d.messages + excluded.messages`,
};
const addSums = {
  name: 'studio_experiment_sums_add',
  text: `
    insert into experiment_sums as s (experiment_id, variant, replies, failed, thumbs_up, thumbs_down, first_words, reply_times)
    select r.* from jsonb_to_recordset($1::jsonb) as r (experiment_id text, variant text, replies integer, failed integer,
      thumbs_up integer, thumbs_down integer, first_words integer[], reply_times integer[])
    order by r.experiment_id, r.variant
    on conflict (experiment_id, variant) do update set replies = s.replies + excluded.replies,
      failed = s.failed + excluded.failed, thumbs_up = s.thumbs_up + excluded.thumbs_up, thumbs_down = s.thumbs_down + excluded.thumbs_down,
      first_words = ${sumOfArrays('s.first_words', 'excluded.first_words')},
      reply_times = ${sumOfArrays('s.reply_times', 'excluded.reply_times')}`,
};

/** A row of the statement `take`. */
export interface NoteRow extends NotedReply {
  agentId: string;
  source: UseSource;
  day: string;
}

/**
 * Adds notes of replies and ratings to the counters of agents and experiments. Concurrent calls count each note exactly
 * once.
 */
export async function aggregateStudioNotes(ctx: Ctx, signal: AbortSignal): Promise<void> {
  // Stops when a batch makes no progress, because the remaining notes are locked by another transaction.
  for (let [before, left]: (number | null)[] = [null, 0]; left !== null && left !== before;) {
    signal.throwIfAborted();
    before = left;
    left = await inTransaction(ctx, aggregateBatch);
  }
}

/** Aggregates a batch and returns the id of the oldest remaining note. */
async function aggregateBatch(tx: Ctx): Promise<number | null> {
  const notes = await tx.sql<NoteRow>(take);
  const parts = [
    [addDays, cellsOf(notes)],
    [addPeople, peopleOf(notes)],
    [addSums, sumsOf(notes)],
  ] as const;
  for (const [statement, rows] of parts) if (rows.length > 0) await tx.sql(statement, [JSON.stringify(rows)]);
  const [oldest] = await tx.sql<{ id: number }>(oldestLeft);
  return oldest?.id ?? null;
}
