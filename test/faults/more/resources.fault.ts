import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { report } from '../../support/fault-report.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import { type FaultHarness, openConversations, openFaultHarness, percentile, signUpCreator } from './fault-harness.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await openFaultHarness();
});
afterEach(() => harness.killAll());
afterAll(() => harness.close());

const isRoot = process.getuid?.() === 0;
/** A private mount namespace; other users than root also need a user namespace. */
const namespace = isRoot ? ['unshare', '--mount'] : ['unshare', '--user', '--map-root-user', '--mount'];

/** Mounts a small disk at `folder` for the command that follows. */
const onDisk = (folder: string, size: string): string[] => [
  ...namespace,
  'sh',
  '-c',
  `mount -t tmpfs -o size=${size} none "${folder}" && exec "$@"`,
  'sh',
];

/** Returns why a small disk cannot be mounted, or null if it can. */
const findObstacle = (): Promise<string | null> =>
  promisify(execFile)(namespace[0]!, [...namespace.slice(1), 'sh', '-c', 'mount -t tmpfs -o size=1m none /mnt']).then(
    () => null,
    (error: unknown) => `no tmpfs can be mounted (${(error as Error).message.trim().split('\n').at(-1)})`,
  );

async function upload(service: ServiceProcess, as: string, agentId: string, bytes: number) {
  const body = new FormData();
  body.append('file', new Blob(['word '.repeat(bytes / 5)]), 'words.txt');
  return service.call('POST', `/v1/knowledge/${agentId}/documents`, { as, body });
}

test('returns 503 for uploads onto a full disk, leaves nothing, and recovers without a restart', async ({
  task,
  skip,
}) => {
  const obstacle = await findObstacle();
  const folder = join(harness.dataDir, 'small');
  await mkdir(folder, { recursive: true });
  // Without a mount, files of the process are limited to 3 MB.
  const wrapper = obstacle ? ['sh', '-c', `trap '' XFSZ; ulimit -f 6000; exec "$@"`, 'sh'] : onDisk(folder, '16m');
  const service = await harness.start({ FILES_URL: `file://${folder}` }, { wrapper }).catch(() => null);
  if (!service) return skip(`neither a small disk nor a limit of file sizes is available: ${obstacle}`);
  const ada = await signUpCreator(service, harness.db);
  const { id: agentId } = await service.createAgent(ada.token);
  const kept: string[] = [];
  const statuses: number[] = [];
  for (let n = 0; n < 8; n++) {
    const answer = await upload(service, ada.token, agentId, 4_000_000);
    statuses.push(answer.status);
    if (answer.status === 201) kept.push(answer.body.id as string);
    else expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
  }
  expect(statuses).toContain(503);
  // The path as the process sees it.
  const seen = obstacle ? folder : `/proc/${service.pid}/root${folder}`;
  const files = (await readdir(seen, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name).toSorted()).toEqual(kept.toSorted());
  const rows = await harness.db.query('select id from documents');
  expect(rows.rows.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
  for (const id of kept) await service.call('DELETE', `/v1/knowledge/${agentId}/documents/${id}`, { as: ada.token });
  const bytes = obstacle ? 100_000 : 4_000_000;
  await eventually(async () => (await upload(service, ada.token, agentId, bytes)).status === 201, {
    what: 'room again',
  });
  report(
    { task },
    {
      times: `${statuses.filter((status) => status === 503).length} full disks`,
      checked: `${statuses.length} uploads, all files`,
      note: obstacle ? `limit of file sizes (ulimit -f), as ${obstacle}` : 'tmpfs of 16 MB',
    },
  );
});

test('survives 1,000 clients with 256 file descriptors, and serves again within 5 s', async ({ task }) => {
  const service = await harness.start({}, { wrapper: ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh'] });
  const ada = await service.signUp();
  const sockets: Socket[] = [];
  for (let n = 0; n < 1_000; n++) {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(async () => (await readdir(`/proc/${service.pid}/fd`)).length >= 250, {
    what: 'no descriptor left',
  });
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      service.call('GET', '/v1/agents', { as: ada.token, signal: AbortSignal.timeout(3_000) }),
    ),
  );
  for (const answer of answers) if (answer.status === 'fulfilled') expect([200, 503]).toContain(answer.value.status);
  for (const socket of sockets) socket.destroy();
  const startMs = performance.now();
  await eventually(
    async () =>
      (await service.call('GET', '/v1/agents', { as: ada.token, signal: AbortSignal.timeout(2_000) }).catch(() => null))
        ?.status === 200,
    { what: 'the service', timeoutMs: 10_000 },
  );
  const backMs = performance.now() - startMs;
  expect(backMs).toBeLessThan(5_000);
  report(
    { task },
    { times: '1,000 clients, 256 descriptors', checked: '50 requests', note: `back after ${backMs.toFixed(0)} ms` },
  );
});

async function memoryMb(pid: number): Promise<number> {
  return Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

test('survives fifty uploads of 10 MB and bodies of 5 MB at once with a heap of 256 MB', async ({ task }) => {
  const service = await harness.start({}, { nodeArgs: ['--max-old-space-size=256'] });
  const ada = await signUpCreator(service, harness.db);
  const { id: agentId } = await service.createAgent(ada.token);
  // A connection that is closed during the upload is a refusal, too.
  const uploads = Array.from({ length: 50 }, () =>
    upload(service, ada.token, agentId, 10_000_000).then(
      ({ status }) => status,
      () => 503,
    ),
  );
  const bodies = Array.from({ length: 20 }, () =>
    service
      .call('POST', '/v1/agents', { as: ada.token, body: { name: 'x'.repeat(5_000_000), instructions: 'y' } })
      .then(
        ({ status }) => status,
        () => 413,
      ),
  );
  const statuses = await Promise.all(uploads);
  expect(statuses.filter((status) => ![201, 408, 413, 503].includes(status))).toEqual([]);
  expect(statuses).toContain(201);
  expect((await Promise.all(bodies)).filter((status) => ![413, 503].includes(status))).toEqual([]);
  expect((await service.call('GET', '/v1/agents', { as: ada.token })).status).toBe(200);
  const peak = await memoryMb(service.pid);
  expect(peak).toBeLessThan(450);
  report({ task }, { times: '50 uploads, 20 bodies', checked: '70 answers', note: `at most ${peak.toFixed(0)} MB` });
});

test('serves other requests quickly while input tries to block the event loop', async ({ task }) => {
  const service = await harness.start();
  const ada = await signUpCreator(service, harness.db);
  const [id = ''] = await openConversations(service, ada.token, 1);
  const { id: agentId } = await service.createAgent(ada.token);
  const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
  const attacks: (() => Promise<unknown>)[] = [
    () =>
      service.call('POST', '/v1/agents', {
        as: ada.token,
        body: deep,
        headers: { 'content-type': 'application/json' },
      }),
    () => service.graphql(`{ ${'a:agents{total} '.repeat(40_000)} }`, { as: ada.token }),
    () => service.graphql(`{ ${'agents{'.repeat(5_000)}total${'}'.repeat(5_000)} }`, { as: ada.token }),
    () => service.call('GET', `/v1/conversations/search?q=${encodeURIComponent('("-'.repeat(600))}`, { as: ada.token }),
    () =>
      service.call('POST', `/v1/conversations/${id}/messages`, {
        as: ada.token,
        body: { content: '*[_`'.repeat(8_000) },
      }),
    async () => {
      const body = new FormData();
      body.append('file', new Blob([`%PDF-1.4\n${'1 0 obj << /A '.repeat(200_000)}`]), 'evil.pdf');
      return service.call('POST', `/v1/knowledge/${agentId}/documents`, { as: ada.token, body });
    },
    async () => {
      const body = new FormData();
      body.append('file', new Blob([deep]), 'deep.json');
      return service.call('POST', `/v1/knowledge/${agentId}/documents`, { as: ada.token, body });
    },
  ];
  const probesMs: number[] = [];
  const probe = setInterval(() => {
    const startMs = performance.now();
    void service.call('GET', '/healthz').then(
      () => probesMs.push(performance.now() - startMs),
      () => probesMs.push(Infinity),
    );
  }, 20);
  await sleep(2_000);
  const idleMs = percentile(probesMs.splice(0), 0.99);
  for (let round = 0; round < 2; round++) for (const attack of attacks) await attack();
  // The parsers of documents continue in the background.
  await sleep(10_000);
  clearInterval(probe);
  const p99 = percentile(probesMs, 0.99);
  // On a busy machine, the baseline without them.
  expect(p99).toBeLessThan(Math.max(250, 3 * idleMs));
  report(
    { task },
    {
      times: `${attacks.length} inputs × 2`,
      checked: `${probesMs.length} requests beside them`,
      note: `p99 ${p99.toFixed(0)} ms, ${idleMs.toFixed(0)} ms without`,
    },
  );
});

test('returns 503 with PostgreSQL on a full disk, loses nothing acknowledged, and recovers', async ({ task, skip }) => {
  const obstacle = await findObstacle();
  if (obstacle) return skip(obstacle);
  const folder = join(harness.dataDir, 'cluster');
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const service = await harness
    .start({ DATABASE_URL: undefined as unknown as string, DATA_DIR: folder }, { wrapper: onDisk(folder, '200m') })
    .catch((error: unknown) => error as Error);
  if (service instanceof Error) return skip(`the embedded server can't be run on it: ${service.message.slice(0, 120)}`);
  const ada = await service.signUp();
  const seen = `/proc/${service.pid}/root${folder}`;
  const { id } = await service.createAgent(ada.token);
  // Nearly all of the disk, so that PostgreSQL's next files do not fit.
  const filler = join(seen, 'filler');
  await promisify(execFile)('sh', ['-c', `dd if=/dev/zero of="${filler}" bs=64k 2>/dev/null; true`]);
  let acknowledged = '';
  const statuses = new Map<number, number>();
  for (let n = 0; n < 400; n++) {
    const body = {
      instructions: `${n} ${Array.from({ length: 3_000 }, () => Math.random().toString(36))
        .join('')
        .slice(0, 31_000)}`,
    };
    const answer = await service.call('PUT', `/v1/agents/${id}`, { as: ada.token, body });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status === 200) acknowledged = body.instructions;
    else expect([answer.status, answer.headers.get('retry-after') !== null]).toEqual([503, true]);
    if ((statuses.get(503) ?? 0) > 5) break;
  }
  expect(statuses.get(503)).toBeGreaterThan(0);
  await rm(filler);
  const read = await eventually(
    async () => {
      const answer = await service.call('GET', `/v1/agents/${id}`, { as: ada.token });
      return answer.status === 200 ? answer : null;
    },
    { timeoutMs: 60_000, what: 'PostgreSQL' },
  );
  // A change that returned 503 may be stored; the stored one must not be older than an acknowledged one.
  const numberOf = (instructions: string) => (/^\d+/.test(instructions) ? Number.parseInt(instructions, 10) : -1);
  expect(numberOf(read.body.instructions)).toBeGreaterThanOrEqual(numberOf(acknowledged));
  expect((await service.call('PUT', `/v1/agents/${id}`, { as: ada.token, body: { name: 'B' } })).status).toBe(200);
  const gone = service.exited;
  service.signal('SIGTERM');
  expect(await gone).toBe(0);
  report(
    { task },
    {
      times: '1 full disk',
      checked: `${[...statuses.values()].reduce((a, b) => a + b, 0)} changes`,
      note: `tmpfs of 200 MB; ${JSON.stringify(Object.fromEntries(statuses))}`,
    },
  );
});
