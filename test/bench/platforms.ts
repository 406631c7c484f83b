import pg from 'pg';
import { type DiscordSimulator, startDiscordSimulator } from '../../src/simulators/discord.ts';
import { startOpenAiSimulator } from '../../src/simulators/openai.ts';
import { createClient, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { pino } from 'pino';
import type { Bench, BenchProcess, BenchRow } from './row.ts';

const bots = 50;
const idleBots = 200;
const peoplePerBot = 20;
const owners = 10;

/** 50 bots of chat_server in one process with all roles, users who write to all of them, and an instant model. */
export const rows: BenchRow[] = [
  {
    name: 'C1',
    title: 'chat platforms: replies through 50 bots, memory of an idle connection',
    async measure(bench) {
      const { discord, service, connect } = await setUp(bench);
      const areUp = (count: number) =>
        eventually(() => discord.connections === count, { timeoutMs: 60_000, what: `${count} connections` });
      for (let n = 0; n < bots; n++) await connect(n);
      await areUp(bots);
      const busyBytes = await settledBytes(service);
      for (let n = bots; n < bots + idleBots; n++) await connect(n);
      await areUp(bots + idleBots);
      const idleKb = ((await settledBytes(service)) - busyBytes) / idleBots / 1024;
      bench.say(`${bots + idleBots} connections are up`);
      const rates: number[] = [];
      const microsEach: number[] = [];
      for (let round = 0; round < Math.max(2, bench.rounds / 4); round++) {
        const cpu = await service.cpuMicros();
        const startedMs = performance.now();
        const messages = await everybodyWrites(discord, round);
        rates.push((messages / (performance.now() - startedMs)) * 1_000);
        microsEach.push(((await service.cpuMicros()) - cpu) / messages);
      }
      const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
      return [
        { what: 'messages answered', value: median(rates), unit: '/s' },
        { what: 'CPU of a message and its reply', value: median(microsEach), unit: 'µs' },
        { what: 'memory of an idle connection', value: idleKb, unit: 'kB' },
      ];
    },
  },
];

const placeOf = (n: number) => ({ token: `bench-bot-${n}`, place: `guild-${n}`, channelId: `channel-${n}` });

/** Lets each of 20 users write to each bot once. Resolves with the last reply. */
async function everybodyWrites(discord: DiscordSimulator, round: number): Promise<number> {
  const answers = () => discord.sentByBots;
  const messages = bots * peoplePerBot;
  const before = answers();
  for (let person = 0; person < peoplePerBot; person++) {
    for (let n = 0; n < bots; n++) {
      discord.write({ ...placeOf(n), author: `person-${person}`, text: `Question ${round}`, mention: true });
    }
  }
  await eventually(() => answers() >= before + messages, { timeoutMs: 120_000, what: 'the answers' });
  return messages;
}

async function setUp(bench: Bench) {
  const databaseUrl = await bench.createDatabase();
  const discord = await startDiscordSimulator();
  bench.defer(() => discord.stop());
  const model = await startOpenAiSimulator({ log: pino({ level: 'silent' }), keepRequests: 1 });
  bench.defer(() => model.stop());
  const service = await bench.startService({
    databaseUrl,
    env: { CHAT_SERVER_API_BASE: discord.apiBase, OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: model.baseUrl },
  });
  const client = createClient(service.url);
  const accounts = await Promise.all(Array.from({ length: owners }, () => client.signUp()));
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  await db.query(`update users set plan = 'creator'`);
  await db.end();
  const agents = await Promise.all(
    accounts.map(async ({ token }) => ({
      as: token,
      ...(await client.createAgent(token, { greeting_message: 'Hello.' })),
    })),
  );
  const connect = async (n: number) => {
    const { token, place, channelId } = placeOf(n);
    discord.join(token, place);
    const agent = agents[n % owners];
    const body = { agent_id: agent?.id, bot_token: token, guild_id: place, channel_ids: [channelId] };
    expectStatus(await client.call('POST', '/v1/integrations/chat_server', { as: agent?.as, body }), 201);
  };
  return { discord, service, connect };
}

/** The minimum of several readings, so that garbage counts as little as possible. */
async function settledBytes(service: BenchProcess): Promise<number> {
  let lowest = Infinity;
  const untilMs = performance.now() + 4_000;
  while (performance.now() < untilMs) lowest = Math.min(lowest, await service.residentBytes());
  return lowest;
}
