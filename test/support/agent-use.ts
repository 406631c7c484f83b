import type { TestApp } from './app.ts';
import type { Account } from './client.ts';
import { eventually } from './eventually.ts';

const people = 5;
const messagesEach = 2;

/** Stores two uses of an agent by each of five people, the minimum for figures, on the day before yesterday. */
export async function useByFive(app: Pick<TestApp, 'db' | 'signUp'>, agentId: string): Promise<void> {
  const ids = await Promise.all(Array.from({ length: people }, async () => (await app.signUp({ plan: 'plus' })).id));
  // Not yesterday, which is aggregated only some minutes after midnight.
  const day = `(now() at time zone 'utc')::date - 2`;
  await app.db.query(
    `insert into agent_day_users (agent_id, day, subject, version_number, source, user_id, messages)
     select $1, ${day}, id, 1, 'direct', id, $3 from unnest($2::text[]) id`,
    [agentId, ids, messagesEach],
  );
  await app.db.query(
    `insert into agent_days (agent_id, day, version_number, source, messages, conversations, replies, thumbs_up, first_words, reply_times)
     values ($1, ${day}, 1, 'direct', $2, $3, $2, 3, array_fill(1, array[48]), array_fill(1, array[48]))`,
    [agentId, people * messagesEach, people],
  );
}

interface Use {
  agentId: string;
  /** `YYYY-MM-DD`. */
  day: string;
  people: readonly Pick<Account, 'id'>[];
  version?: number;
}

/** Stores that people used an agent on a day, with one message each. */
export async function useAgentOn({ db }: Pick<TestApp, 'db'>, use: Use): Promise<void> {
  const { agentId, day, people: users, version = 1 } = use;
  await db.query(
    `insert into agent_day_users (agent_id, day, subject, version_number, source, user_id, messages)
     select $1, $2, id, $3, 'direct', id, 1 from unnest($4::text[]) id`,
    [agentId, day, version, users.map(({ id }) => id)],
  );
  await db.query(
    `insert into agent_days (agent_id, day, version_number, source, messages, conversations, replies, thumbs_down, first_words, reply_times)
     values ($1, $2, $3, 'direct', $4, $4, $4, $4, array_fill(0, array[48]), array_fill(0, array[48]))`,
    [agentId, day, version, users.length],
  );
  // Rows of a day that is already summed are not read.
  await db.query('delete from studio_sums');
}

/** Waits until the job that aggregates people per week has run once. */
export async function firstSums({ db }: Pick<TestApp, 'db'>): Promise<void> {
  const summed = `select 1 from studio_sums where summed_until > (now() at time zone 'utc')::date - 16`;
  await eventually(async () => (await db.query(summed)).rowCount === 1, { what: 'the first sums' });
}

/** Lets another account ask a public agent a question, rate the reply and share the rating. */
export async function shareFeedback(app: Pick<TestApp, 'call' | 'signUp'>, agentId: string): Promise<void> {
  const { token } = await app.signUp();
  const call = async (path: string, body: object) => (await app.call('POST', path, { as: token, body })).body;
  const { id } = await call('/v1/conversations', { agent_id: agentId });
  const exchange = await call(`/v1/conversations/${id}/messages`, { content: 'How far is the moon?' });
  const rating = { rating: 'down', comment: 'Too vague.', share: true };
  await call(`/v1/conversations/${id}/messages/${exchange.assistant_message.id}/feedback`, rating);
}
