import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { searchConversations } from '../../src/conversations/search.ts';
import type { Config } from '../../src/core/config.ts';
import type { Ctx, Ports } from '../../src/core/ctx.ts';
import { connectDatabase } from '../../src/core/database.ts';
import { newId } from '../../src/core/ids.ts';
import type { BenchRow } from './row.ts';
import { Message } from '../../src/conversations/message.entity.ts';

/** Words in a person's own messages. */
export const rows: BenchRow[] = [
  {
    name: 'P13',
    title: 'search of messages',
    measure: async (bench) => {
      const [users, busyMessages] = bench.isQuick ? [5, 50_000] : [50, 500_000];
      const found = await measureSearch({ url: await bench.createDatabase(), users, busyMessages });
      return Object.entries(found).map(([what, { p95Ms }]) => ({
        what: `${what}, p95`,
        value: p95Ms,
        unit: 'ms',
        goal: { atMost: what.startsWith('busy') ? 250 : 15 },
      }));
    },
  },
];

interface SearchBench {
  /** A migrated database, which is filled. */
  url: string;
  /** Users with 10,000 messages each. */
  users: number;
  /** Messages of one more user. */
  busyMessages: number;
  /** Searches per kind of query. */
  searches?: number;
}

interface Percentiles {
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}

/** What a search takes on a table of many messages, by kind of query, for ordinary users and for one with very many. */
export async function measureSearch({
  url,
  users,
  busyMessages,
  searches = 200,
}: SearchBench): Promise<Record<string, Percentiles>> {
  const busy = await fill(url, 1, busyMessages);
  const ordinary = await fill(url, users, 10_000);
  const database = await connectDatabase({ url, entities: [Message], poolSize: 4 });
  await database.pool.query('vacuum analyze messages');
  const results: Record<string, Percentiles> = {};
  try {
    for (const [kind, words] of Object.entries(kinds)) {
      for (const [whose, userIds] of Object.entries({ ordinary, busy })) {
        const times: number[] = [];
        for (let i = 0; i < searches; i++) {
          const ctx = ctxOf(database, userIds[i % userIds.length] ?? '');
          const q = words();
          const startedAt = performance.now();
          await searchConversations(ctx, { q });
          times.push(performance.now() - startedAt);
        }
        results[`${whose}, ${kind}`] = percentiles(times);
      }
    }
  } finally {
    await database.close();
  }
  return results;
}

const vocabularySize = 30_000;
const syllables = [
  'ba',
  'ce',
  'di',
  'fo',
  'gu',
  'ka',
  'le',
  'mi',
  'no',
  'pu',
  'ra',
  'se',
  'ti',
  'vo',
  'zu',
  'sha',
  'tra',
  'qui',
];
const endings = ['', '', 's', 'ing', 'ed', 'er', 'ly', 'tion'];

const wordAt = (rank: number): string => {
  let word = '';
  for (let n = rank + 40; n > 0; n = Math.floor(n / syllables.length)) word += syllables[n % syllables.length];
  return word + (endings[rank % endings.length] ?? '');
};
const vocabulary = Array.from({ length: vocabularySize }, (_, rank) => wordAt(rank));
/** The nth most frequent word with a frequency of about 1/n. */
const zipf = (): string => vocabulary[Math.floor(Math.exp(Math.random() * Math.log(vocabularySize)))] ?? '';
const between = (from: number, to: number): string => vocabulary[from + Math.floor(Math.random() * (to - from))] ?? '';

const kinds: Record<string, () => string> = {
  'a frequent word': () => between(1, 20),
  'a word': () => between(100, 1_000),
  'a rare word': () => between(5_000, 30_000),
  'two words': () => `${between(1, 100)} ${between(20, 1_000)}`,
  'a prefix': () => between(1, 5_000).slice(0, 3),
  'a phrase': () => `"${between(1, 20)} ${between(1, 20)}"`,
  'an exclusion': () => `${between(20, 200)} -${between(1, 20)}`,
  'no hit': () => 'xylophonist',
};

const content = (): string => Array.from({ length: 5 + Math.floor(Math.random() * 40) }, zipf).join(' ');

/** Users who wrote their messages in turn, so that those of one lie scattered, as in a life of the service. */
async function fill(url: string, users: number, messagesEach: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const people = Array.from({ length: users }, () => ({
      userId: newId('user'),
      conversationId: newId('conversation'),
    }));
    for (const { userId, conversationId } of people) await createUser(client, userId, conversationId);
    const batch = Math.max(1, Math.floor(2_000 / users));
    for (let position = 0; position < messagesEach; position += batch) {
      const rows = people.flatMap((person) =>
        Array.from({ length: Math.min(batch, messagesEach - position) }, (_, i) => ({
          ...person,
          position: position + i,
        })),
      );
      await client.query(
        `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
        select id, conversation_id, user_id, position, 'user', content, timestamptz '2026-01-01' + position * interval '1 minute'
        from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[]) as t (id, conversation_id, user_id, position, content)`,
        [
          rows.map(() => newId('message')),
          rows.map((row) => row.conversationId),
          rows.map((row) => row.userId),
          rows.map((row) => row.position),
          rows.map(content),
        ],
      );
    }
    return people.map(({ userId }) => userId);
  } finally {
    await client.end();
  }
}

async function createUser(client: pg.Client, userId: string, conversationId: string): Promise<void> {
  const agentId = newId('agent');
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
}

const log = pino({ level: 'silent' });

const ctxOf = (database: Awaited<ReturnType<typeof connectDatabase>>, userId: string): Ctx => ({
  em: database.orm.em,
  sql: database.sql,
  pool: database.pool,
  actor: {
    kind: 'user',
    userId,
    plan: 'free',
    scopes: ['conversations:read'],
    sessionId: null,
    apiKeyId: null,
    ip: null,
  },
  clock: { now: () => new Date() },
  log,
  requestId: randomUUID(),
  config: {} as Config,
  ports: {} as Ports,
});

function percentiles(times: number[]): Percentiles {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.ceil(sorted.length * share) - 1] ?? 0) * 100) / 100;
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}
