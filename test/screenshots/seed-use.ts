import type pg from 'pg';
import type { ServiceClient } from './service-client.ts';

const people = ['grace', 'alan', 'emmy', 'sofia', 'blaise', 'maria', 'kurt', 'ada.b', 'leonhard'];
/** How many people came on each of the last days, yesterday last. Fewer than five are withheld. */
const peopleByDay = [6, 7, 5, 8, 7, 9];
const messagesEach = 3;

/** Lets other people use an agent on several days, and share what they thought of a reply with its owner. */
export async function seedUse(client: ServiceClient, db: pg.Client, agentId: string): Promise<void> {
  const tokens = new Map<string, string>();
  for (const name of people) tokens.set(name, await client.signUp(`${name}@example.com`, name));
  // Only people with a paid plan or an account of some age count towards the size of a group.
  await db.query(`update users set plan = 'plus' where username = any ($1)`, [people]);
  await storeDays(db, agentId);
  await share(client, agentId, tokens.get('emmy') ?? '', {
    rating: 'down',
    comment: 'Right, but I wanted the steps, too.',
  });
  await share(client, agentId, tokens.get('grace') ?? '', { rating: 'up', comment: 'The example made it clear.' });
}

/** A day is over at midnight, so the days before today are stored as the service would have counted them. */
async function storeDays(db: pg.Client, agentId: string): Promise<void> {
  const { rows } = await db.query<{ id: string }>('select id from users where username = any ($1)', [people]);
  for (const [place, count] of peopleByDay.entries()) {
    const day = `(now() at time zone 'utc')::date - ${peopleByDay.length - place}`;
    const ids = rows.slice(0, count).map(({ id }) => id);
    await db.query(
      `insert into agent_day_users (agent_id, day, subject, version_number, source, user_id, messages)
       select $1, ${day}, id, 1, 'direct', id, $3 from unnest($2::text[]) id`,
      [agentId, ids, messagesEach],
    );
    await db.query(
      `insert into agent_days (agent_id, day, version_number, source, messages, conversations, replies, thumbs_up, thumbs_down,
         first_words, reply_times)
       values ($1, ${day}, 1, 'direct', $2, $3, $2, $4, 1, $5, $6)`,
      [agentId, count * messagesEach, count, count - 2, histogram(18, count), histogram(27, count)],
    );
  }
}

/** A few values around a bucket. */
const histogram = (bucket: number, count: number): number[] =>
  Array.from({ length: 48 }, (_, place) => Math.max(count - 2 * Math.abs(place - bucket), 0));

async function share(client: ServiceClient, agentId: string, token: string, rating: object): Promise<void> {
  const conversation = await client.post('/v1/conversations', { agent_id: agentId }, token);
  const messages = `/v1/conversations/${conversation.id}/messages`;
  const { assistant_message: reply } = await client.post(messages, { content: 'Is 91 a prime number?' }, token);
  await client.post(`${messages}/${reply.id}/feedback`, { ...rating, share: true }, token);
}
