import { WebSocket } from 'ws';
import { newId } from '../../src/core/ids.ts';
import { answerOf, closedLoop } from './lab/load.ts';
import { seed, type Seeded, type Tenant } from './lab/seed.ts';
import { median, quantile, quartiles } from './lab/statistics.ts';
import { timeStream } from './lab/streams.ts';
import type { Bench, BenchProcess, BenchRow, Figure } from './row.ts';

/** Rooms: a message compared with one in a conversation, delivery to a hundred people, and a room with a long history. */
export const rows: BenchRow[] = [
  { name: 'P40', title: 'a message in a room, of one in a conversation without its reply', measure: posting },
  { name: 'P41', title: 'a message in a room of 100 people on two instances', measure: delivering },
  { name: 'P42', title: 'opening a room of 1,000,000 messages', measure: opening },
];

/** Creates a room of the seed's user, with its agents and these people. Returns its id. */
async function addRoom({ db, userId }: Seeded, people: readonly Tenant[], agents: readonly string[]): Promise<string> {
  const id = newId('room_');
  await db.query(
    `insert into rooms (id, owner_id, name, reply_mode, agent_hops, replies_per_message, payer, history, created_at, updated_at)
     values ($1, $2, 'Bench', 'mention', 0, 3, 'sender', 'all', now(), now())`,
    [id, userId],
  );
  await db.query(
    `insert into room_members (room_id, user_id, role, state, joined_at, created_at)
     select $1, u, case when u = $2 then 'owner' else 'member' end, 'joined', now(), now() from unnest($3::text[]) u`,
    [id, userId, [userId, ...people.map((person) => person.userId)]],
  );
  await db.query(
    `insert into room_agents (room_id, agent_id, added_by, position, created_at)
     select $1, a, $2, n, now() from unnest($3::text[]) with ordinality as t (a, n)`,
    [id, userId, agents],
  );
  return id;
}

async function posting(bench: Bench): Promise<Figure[]> {
  const seeded = await seed(bench);
  const { databaseUrl, headers } = seeded;
  const [agentId = ''] = await seeded.addAgents(1);
  const warmUps = 100;
  const count = bench.isQuick ? 150 : 1_000;
  const conversations = await seeded.addConversations(agentId, count + warmUps);
  const room = await addRoom(seeded, [await seeded.addUser()], [agentId]);
  const upstream = await bench.startFloor('upstream.ts', { DELTAS: '1', FIRST_DELTA_MS: '5', DELTA_MS: '0' });
  const service = await bench.startService({
    databaseUrl,
    env: { OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: `${upstream.url}/v1` },
  });
  const follower = await follow(bench, service, seeded, room);
  const send = async (path: string, content: string, mark: string): Promise<number> =>
    (await timeStream({ url: `${service.url}/v1/${path}`, headers, body: { content }, mark })).firstMs;
  const question = 'What do you think about this?';
  const url = `${upstream.url}/v1/chat/completions`;
  const prompt = { messages: [], stream: true };
  const kinds = {
    provider: async () => (await timeStream({ url, headers: {}, body: prompt, mark: '"content":" word"' })).firstMs,
    conversation: () => send(`conversations/${conversations.pop()}/messages/stream`, question, 'event: delta'),
    talk: () => send(`rooms/${room}/messages`, question, '"turns":[]'),
    mention: async () => {
      const done = follower.next('turn.done');
      const ms = await send(`rooms/${room}/messages`, `@Agent 1 ${question}`, '"queued"');
      await done;
      return ms;
    },
  };
  const names = ['provider', 'conversation', 'talk', 'mention'] as const;
  const taken: Record<(typeof names)[number], number[]> = { provider: [], conversation: [], talk: [], mention: [] };
  for (let round = -warmUps; round < count; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + warmUps + turn) % names.length] ?? 'talk';
      const ms = await kinds[name]();
      if (round >= 0) taken[name].push(ms);
    }
  }
  const without = median(taken.conversation) - median(taken.provider);
  return [
    { what: 'that causes no reply', value: median(taken.talk) / without, unit: '×', goal: { atMost: 1.5 } },
    { what: 'that an agent answers', value: median(taken.mention) / without, unit: '×', goal: { atMost: 1.5 } },
    { what: 'in a conversation', value: without, unit: 'ms', quartiles: quartiles(taken.conversation) },
  ];
}

const people = 100;
const atOnce = 16;

async function delivering(bench: Bench): Promise<Figure[]> {
  const seeded = await seed(bench);
  const { databaseUrl, headers } = seeded;
  const others: Tenant[] = [];
  while (others.length < people - 1) others.push(await seeded.addUser());
  const room = await addRoom(seeded, others, []);
  const writer = await bench.startService({ databaseUrl });
  const other = await bench.startService({ databaseUrl, env: { ROLE: 'web' } });
  const waiting = [seeded, ...others].map((person, i) => ({ person, on: i % 2 === 0 ? writer : other }));
  const followers: Follower[] = [];
  const open = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop())
      followers.push(await follow(bench, next.on, next.person, room));
  };
  await Promise.all(Array.from({ length: atOnce }, open));
  const tookMs: number[] = [];
  const warmUps = 20;
  const count = bench.isQuick ? 40 : 300;
  const post = { method: 'POST', headers } as const;
  const cpu = async (): Promise<number> => (await writer.cpuMicros()) + (await other.cpuMicros());
  let cpuBefore = 0;
  for (let n = -warmUps; n < count; n++) {
    if (n === 0) cpuBefore = await cpu();
    const startedAt = performance.now();
    const arrivals = followers.map(async (follower) => (await follower.next('message.created')) - startedAt);
    await answerOf(writer, { ...post, path: `/v1/rooms/${room}/messages`, body: { content: `${n}` } });
    const arrived = await Promise.all(arrivals);
    if (n >= 0) tookMs.push(...arrived);
  }
  const cpuMicros = (await cpu()) - cpuBefore;
  const busy = await addRoom(seeded, others, []);
  const request = { ...post, path: `/v1/rooms/${busy}/messages`, body: { content: 'More.' } };
  const load = closedLoop('service', writer, request, (text) => text.includes('"position"'));
  await load.work(5_000);
  const cpuOfPosts = await writer.cpuMicros();
  const { operations, ms } = await load.work(bench.isQuick ? 3_000 : 10_000);
  const perPost = ((await writer.cpuMicros()) - cpuOfPosts) / operations;
  return [
    { what: 'from the request to a frame, p95', value: quantile(tookMs, 0.95), unit: 'ms', goal: { atMost: 150 } },
    { what: 'p50', value: median(tookMs), unit: 'ms' },
    { what: 'CPU of a message with its 100 frames', value: cpuMicros / count / 1_000, unit: 'ms' },
    { what: 'messages in one room', value: (operations / ms) * 1_000, unit: '/s', goal: { atLeast: 200 } },
    { what: 'CPU of one of them', value: perPost / 1_000, unit: 'ms' },
  ];
}

const longPast = 1_000_000;
const shortPast = 100;

async function opening(bench: Bench): Promise<Figure[]> {
  const seeded = await seed(bench);
  const { databaseUrl, headers, db } = seeded;
  const person = await seeded.addUser();
  const agents = await seeded.addAgents(2);
  const rooms = { long: await addRoom(seeded, [person], agents), short: await addRoom(seeded, [person], agents) };
  await fill(seeded, rooms.short, shortPast);
  await fill(seeded, rooms.long, longPast);
  for (const table of ['room_messages', 'room_turns', 'rooms']) await db.query(`vacuum (analyze) ${table}`);
  const service = await bench.startService({ databaseUrl });
  const read = async (room: string): Promise<number> => {
    const startedAt = performance.now();
    const paths = ['', '/members', '/messages?limit=50', '/turns'];
    await Promise.all(paths.map((path) => answerOf(service, { path: `/v1/rooms/${room}${path}`, headers })));
    return performance.now() - startedAt;
  };
  const taken = { long: [] as number[], short: [] as number[] };
  const warmUps = 60;
  for (let round = -warmUps; round < (bench.isQuick ? 200 : 1_000); round++) {
    for (const kind of round % 2 === 0 ? (['long', 'short'] as const) : (['short', 'long'] as const)) {
      const ms = await read(rooms[kind]);
      if (round >= 0) taken[kind].push(ms);
    }
  }
  const short = median(taken.short);
  return [
    { what: 'of one of 100', value: median(taken.long) / short, unit: '×', goal: { atMost: 1.1 } },
    { what: 'one of 100', value: short, unit: 'ms', quartiles: quartiles(taken.short) },
  ];
}

/** Fills a room with messages of its owner; every tenth is an agent's reply. */
async function fill({ db, userId }: Seeded, room: string, messages: number): Promise<void> {
  await db.query(
    `insert into room_messages (room_id, position, id, author_kind, user_id, content, created_at)
     select $1, n, 'rms_' || uuidv7(), 'user', $2, 'Message ' || n || repeat(' and more', 20),
       now() - ($3 - n) * interval '1 second'
     from generate_series(1, $3::integer) n`,
    [room, userId, messages],
  );
  await db.query(
    `insert into room_turns (id, room_id, agent_id, user_id, payer_id, root_id, number, hop, state, message_id, created_at,
       finished_at)
     select 'trn_' || uuidv7(), m.room_id, a.agent_id, m.user_id, m.user_id, m.id, m.position, 0, 'complete', m.id, now(), now()
     from room_messages m join room_agents a on a.room_id = m.room_id and a.position = 1
     where m.room_id = $1 and m.position % 10 = 0`,
    [room],
  );
  await db.query(`update rooms set last_position = $2, last_message_at = now() where id = $1`, [room, messages]);
  await db.query(`update room_members set last_read_position = $2 where room_id = $1`, [room, messages]);
}

interface Follower {
  /** Resolves when the next event of this type arrives, with the time by `performance.now()`. */
  next(type: string): Promise<number>;
}

/** Follows a room over a socket. */
function follow(bench: Bench, { url }: BenchProcess, { apiKey }: Tenant, room: string): Promise<Follower> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/socket`);
  bench.defer(() => socket.terminate());
  let wanted: { type: string; resolve: (ms: number) => void } | null = null;
  const follower: Follower = {
    next: (type) => new Promise((resolve) => (wanted = { type, resolve })),
  };
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)));
    socket.on('open', () => socket.send(JSON.stringify({ op: 'connect', token: apiKey })));
    socket.on('message', (data: Buffer) => {
      const { op, type } = JSON.parse(data.toString()) as { op: string; type?: string };
      if (op === 'ready') socket.send(JSON.stringify({ op: 'subscribe', id: '1', channel: `room:${room}` }));
      else if (op === 'subscribed') resolve(follower);
      else if (op === 'event' && type === wanted?.type) wanted?.resolve(performance.now());
    });
  });
}
