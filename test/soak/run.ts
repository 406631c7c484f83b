import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '../../src/core/embedded-postgres/embedded-postgres.ts';
import type { Holdings } from '../support/holdings.ts';
import { makeScratchFolder } from '../support/scratch-folder.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { audit } from './audit.ts';
import { readContract } from './contract.ts';
import { createFindings } from './findings.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { createInstance } from './instance.ts';
import { createLedger } from './ledger.ts';
import { addModerator, moderatorId } from './moderator.ts';
import { watchMemory } from './memory.ts';
import { useEverything } from './people.ts';
import { startReceiver } from './receiver.ts';
import { summarise } from './report.ts';
import { createTally } from './tally.ts';
import { createTroubles } from './troubles.ts';
import { startVendors } from './vendors.ts';
import { createPacer, type World } from './world.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '30' },
    'ends-every': { type: 'string', default: '60' },
    chaos: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const rate = Number(values.rate);
const endsEverySeconds = Number(values['ends-every']);
if (!(minutes > 0 && rate > 0 && endsEverySeconds > 0))
  throw new Error('--minutes, --rate and --ends-every take numbers greater than 0');

const say = (line: string) => void process.stderr.write(`${line}\n`);
const progressEveryMs = 10_000;
const restMs = 60_000;
/** Idle connections to vendors, and resources that are opened at first use. */
const mayHoldMore: Record<keyof Holdings, number> = {
  files: 20,
  sockets: 20,
  timers: 20,
  children: 1,
  'connections at work': 1,
};
const idleGauges = [
  'database_pool_waiting',
  'generations_running',
  'outbox_events_undispatched',
  'webhook_deliveries_due',
];
const referencePath = resolve(import.meta.dirname, 'reference.md');

const folder = await makeScratchFolder('agent-chat-service-soak-');
const filesFolder = join(folder, 'files');
await mkdir(filesFolder);
const stops: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];

async function run(): Promise<boolean> {
  const [findings, tally, ledger] = [createFindings(), createTally(), createLedger()];
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: pino({ level: 'error' }) });
  stops.push(() => postgres.stop());
  const receiver = await startReceiver(findings);
  stops.push(() => receiver.close());
  let fleet: Fleet | null = null;
  const vendors = await startVendors(folder, () => fleet?.url() ?? '');
  stops.push(() => vendors.stop());
  const provider = await startTcpProxy(vendors.env.OPENAI_BASE_URL);
  stops.push(() => provider.stop());
  const env = {
    ...vendors.env,
    OPENAI_BASE_URL: provider.url,
    PROFILE: 'embedded',
    DATABASE_URL: postgres.url,
    DATA_DIR: folder,
    FILES_URL: pathToFileURL(filesFolder).href,
    AUTH_SECRET: 's'.repeat(40),
    ENCRYPTION_KEYS: 'e'.repeat(40),
    WEBHOOK_RETRY_DELAYS: '2,5,10',
    MODERATORS: moderatorId,
  };
  const onWarning = (message: string) => tally.count(`warning ${message}`);
  const instances = await Promise.all(['A', 'B'].map((name) => createInstance({ name, env, findings, onWarning })));
  fleet = createFleet(instances, findings, ({ name, signal, goneMs, readyMs }) =>
    say(`${name}: ${signal}, gone after ${Math.round(goneMs)} ms, ready again after ${Math.round(readyMs)} ms`),
  );
  for (const instance of instances) {
    stops.push(() => instance.end('SIGTERM'));
    say(`${instance.name} was ready after ${Math.round(await instance.start())} ms`);
  }
  const moderatorToken = await addModerator(postgres.url, fleet.url());
  const before = await holdingsOf(fleet);

  const over = new AbortController();
  const contract = readContract();
  const world: World = {
    fleet,
    contract,
    findings,
    ledger,
    tally,
    vendors,
    receiver,
    moderatorToken,
    turn: createPacer(rate),
    over: over.signal,
  };
  const parts = { dataDir: folder, databaseUrl: postgres.url, provider, receiver: receiver.proxy };
  const troubles = values.chaos ? createTroubles(parts) : [];
  const begunAt = performance.now();
  const memory = watchMemory(fleet, over.signal);
  const progress = setInterval(() => {
    const seconds = Math.round((performance.now() - begunAt) / 1_000);
    const sizes = instances.map(({ name }) => `${name} ${Math.round(memory.latest(name) / 1024 ** 2)} MB`).join(', ');
    say(
      `${seconds} s: ${tally.of('requests')} requests, ${tally.of('streams')} streams, ${receiver.posts} posts, ` +
        `${fleet.ends.length} ends, ${sizes}, ${findings.count} findings`,
    );
  }, progressEveryMs);
  setTimeout(() => over.abort(), minutes * 60_000);
  const disturbing = fleet.disturb(minutes, endsEverySeconds, over.signal, troubles);
  await useEverything(world);
  await disturbing;
  const lastedMinutes = (performance.now() - begunAt) / 60_000;
  clearInterval(progress);
  say('the load is over; waiting for pending work, then comparing');

  const db = new pg.Pool({ connectionString: postgres.url, max: 2 });
  await audit(world, { db, filesFolder });
  await db.end();
  const after = await rest(fleet, before);
  const files = instances.map(({ name }, i) => ({ name, before: before[i]?.files ?? 0, after: after[i]?.files ?? 0 }));
  for (const [i, { name }] of instances.entries())
    for (const what of keptTooLong(before[i], after[i]))
      findings.add('a resource that an instance did not release', `${name}: ${what}`);
  for (const { name, metrics } of instances) {
    const now = await metrics();
    for (const gauge of idleGauges)
      if (now.get(gauge) !== 0)
        findings.add('an instance that is not idle after the load', `${name}: ${gauge} ${now.get(gauge)}`);
  }
  const { never, missed } = contract.coverage(Math.floor(minutes));
  for (const name of never) findings.add('a route that never succeeded', name);
  for (const [name, count] of missed)
    findings.add('a route that did not succeed in each minute', `${name}: ${count} missed`);
  const lives = await memory.judge(findings);
  const summary = summarise(world, { minutes: lastedMinutes, lives, files });
  process.stdout.write(`${summary}\n`);
  if (values.write) await writeFile(referencePath, reference(summary));
  return findings.count === 0;
}

const holdingsOf = ({ instances }: Fleet): Promise<(Holdings | null)[]> =>
  Promise.all(instances.map((instance) => instance.holdings()));

/** I12: describes the resources held beyond the baseline from before the load. */
const keptTooLong = (before: Holdings | null | undefined, now: Holdings | null | undefined): string[] =>
  Object.entries(mayHoldMore).flatMap(([name, more]) => {
    const [few, many] = [before, now].map((held) => held?.[name as keyof Holdings] ?? 0) as [number, number];
    return many > few + more ? [`${name}: ${few}, then ${many}`] : [];
  });

/** Waits, at most a minute, until each instance holds no more than before the load. Returns what it holds. */
async function rest(fleet: Fleet, before: readonly (Holdings | null)[]): Promise<(Holdings | null)[]> {
  const deadline = performance.now() + restMs;
  for (;;) {
    const now = await holdingsOf(fleet);
    if (now.every((held, i) => keptTooLong(before[i], held).length === 0) || performance.now() > deadline) return now;
    await delay(1_000);
  }
}

const reference = (summary: string): string =>
  `# The last reference run\n\n\`npm run soak -- --minutes ${minutes} --rate ${rate} --write\`, on ${new Date().toISOString().slice(0, 10)}. ` +
  `README.md describes what is done and checked.\n\n${summary}\n`;

let closing: Promise<void> | null = null;
const close = (): Promise<void> =>
  (closing ??= (async () => {
    for (const stop of stops.toReversed()) await stop();
  })());
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    say('interrupted');
    void close().then(() => process.exit(1));
  });
}
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await close();
}
process.exit();
