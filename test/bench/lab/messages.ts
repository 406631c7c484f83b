import pg from 'pg';
import { newId, newUuid } from '../../../src/core/ids.ts';
import { createTexts } from './texts.ts';

interface Filling {
  /** A migrated database. */
  url: string;
  /** Users with 10,000 messages each. */
  users: number;
  /** Messages of one more user, in one conversation. */
  busyMessages: number;
}

export interface Writer {
  userId: string;
  conversationId: string;
}

const messagesEach = 10_000;
const distinctTexts = 20_000;
const tag = 'placeh';

/**
 * Inserts users whose messages alternate, so that those of one are scattered, as in practice. The lexemes of
 * 20,000 texts are computed once and reused, and indexes and constraints are restored at the end.
 */
export async function fillMessages({
  url,
  users,
  busyMessages,
}: Filling): Promise<{ busy: Writer; ordinary: Writer[] }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set maintenance_work_mem = '512MB'`);
    // Texts are looked up one by one, so that messages are stored in the order of their creation.
    await client.query('set enable_hashjoin = off; set enable_mergejoin = off');
    const busy = await addWriter(client);
    const ordinary: Writer[] = [];
    for (let i = 0; i < users; i++) ordinary.push(await addWriter(client));
    const putBack = await takeDown(client);
    await client.query('alter table messages alter column search drop expression');
    await client.query(
      `create temporary table texts as
       select n::int as n, content, search_words('${tag}', content)::text as words from unnest($1::text[]) with ordinality as t (content, n)`,
      [createTexts(distinctTexts)],
    );
    await client.query('create unique index on texts (n)');
    await client.query('analyze texts');
    await addMessages(client, [busy], busyMessages);
    await addMessages(client, ordinary, messagesEach);
    for (const statement of putBack) await client.query(statement);
    await client.query('vacuum analyze messages');
    return { busy, ordinary };
  } finally {
    await client.end();
  }
}

/** Drops constraints and indexes of messages. Returns the statements that restore them. */
async function takeDown(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; create: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint
    where contype in ('p', 'u', 'f') and 'messages'::regclass in (conrelid, confrelid)
    order by contype = 'f' desc, 1
  `);
  const { rows: indexes } = await client.query<{ drop: string; create: string }>(`
    select format('drop index %I', indexname) as drop, indexdef as create
    from pg_indexes where tablename = 'messages' and indexname not in (select conname from pg_constraint)`);
  for (const { drop } of [...rows, ...indexes]) await client.query(drop);
  return [...rows.toReversed(), ...indexes].map(({ create }) => create);
}

async function addMessages(client: pg.Client, writers: readonly Writer[], each: number): Promise<void> {
  await client.query(
    `insert into messages (id, conversation_id, user_id, position, role, content, search, created_at)
     select 'msg_' || uuidv7(), w.conversation_id, w.user_id, w.p, 'user', t.content,
       replace(t.words, '${tag}', right(w.user_id, 6))::tsvector, timestamptz '2026-01-01' + w.p * interval '1 minute'
     from (
       select p, u.* from generate_series(0, $3::int - 1) p
       cross join unnest($1::text[], $2::text[]) with ordinality as u (user_id, conversation_id, k) order by p
     ) w
     join texts t on t.n = 1 + (w.p::bigint * 7919 + w.k * 104729) % ${distinctTexts}`,
    [writers.map(({ userId }) => userId), writers.map(({ conversationId }) => conversationId), each],
  );
}

async function addWriter(client: pg.Client): Promise<Writer> {
  const [userId, agentId, conversationId] = [newId('usr_'), newUuid(), newId('conv_')];
  await client.query(
    `insert into users (id, email, username, password_hash, created_at, updated_at) values ($1, $1 || '@example.com', $1, '', now(), now())`,
    [userId],
  );
  await client.query(
    `insert into agents (id, owner_id, name, instructions, model, created_at, updated_at) values ($1, $2, 'A', 'B', 'default', now(), now())`,
    [agentId, userId],
  );
  await client.query(
    `insert into conversations (id, user_id, agent_id, created_at, updated_at) values ($1, $2, $3, now(), now())`,
    [conversationId, userId, agentId],
  );
  return { userId, conversationId };
}
