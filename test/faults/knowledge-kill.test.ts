import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { FileStore } from '../../src/core/files.ports.ts';
import { newId } from '../../src/core/ids.ts';
import { documentFileKey } from '../../src/knowledge/document.ts';
import { enqueueProcessing } from '../../src/knowledge/upload-document.ts';
import { openFileStore } from '../../src/providers/files/file-store.ts';
import { type OpenAiStandIn, startOpenAiStandIn } from '../../src/standins/openai.ts';
import { eventually } from '../support/eventually.ts';
import { addAgent, addUser } from '../support/account-rows.ts';
import type { House } from '../support/house.ts';
import { openHouse } from '../support/open-house.ts';

let house: House;
let files: FileStore;
let folder = '';
let model: OpenAiStandIn;
let worker: ChildProcess | undefined;
const userId = newId('user');
const agentId = newId('agent');

beforeAll(async () => {
  house = await openHouse();
  folder = await mkdtemp(join(tmpdir(), 'knowledge-kill-'));
  files = await openFileStore(pathToFileURL(folder).href);
  model = await startOpenAiStandIn({ log: pino({ level: 'silent' }) });
  await addUser(house, userId);
  await addAgent(house, userId, agentId);
});
afterEach(() => kill());
afterAll(async () => {
  await model.stop();
  await house.close();
  await rm(folder, { recursive: true, force: true });
});

/** The lease of a document is taken over after its time: short where a process is killed, long where none may be lost. */
function start(leaseMs = 1_500): void {
  const args = [
    join(import.meta.dirname, 'knowledge-worker.ts'),
    house.url,
    pathToFileURL(folder).href,
    model.baseUrl,
    `${leaseMs}`,
  ];
  worker = spawn(process.execPath, ['--no-warnings', ...args], { stdio: 'ignore' });
}

async function kill(): Promise<void> {
  if (!worker || worker.exitCode !== null || worker.signalCode) return;
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
}

/** Sentences that differ, so that no chunk is like another. */
const text = (seed: number): string =>
  Array.from(
    { length: 12_000 },
    (_, i) => `Line ${i} of book ${seed} tells of number ${(i * 7_919 + seed) % 104_729}.`,
  ).join('\n');

async function addDocument(content: string): Promise<string> {
  const id = newId('document');
  await files.put(documentFileKey({ agentId, id }), Readable.from([content]));
  await house.query(
    `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, created_at)
     values ($1, $2, $3, 'a.txt', 'txt', $4, 'processing', now())`,
    [id, agentId, userId, content.length],
  );
  await enqueueProcessing(house.newCtx(), id);
  return id;
}

interface Progress {
  status: string;
  total: number | null;
  done: number;
  chunks: number;
  vectors: number;
  attempts: number;
}

async function progress(id: string): Promise<Progress> {
  const [row] = await house.query<Progress>(
    `select d.status, d.chunks_total as total, d.chunks_done as done,
       (select count(*)::int from chunks c where c.document_id = d.id) as chunks,
       (select count(*)::int from chunk_vectors v where v.document_id = d.id) as vectors,
       coalesce((select max(attempts)::int from tasks t where t.key = d.id), 0) as attempts
     from documents d where d.id = $1`,
    [id],
  );
  return row!;
}

const points: [string, (p: Progress) => boolean][] = [
  ['as soon as it was taken up', ({ attempts }) => attempts > 0],
  ['while its chunks are stored', ({ chunks }) => chunks > 0],
  ['while it is embedded', ({ done }) => done > 100],
  ['when nearly all is embedded', ({ done, total }) => total !== null && done > total * 0.8],
];

test('a document whose process is killed with -9, at any point, becomes ready with each chunk and vector once', async () => {
  for (const [i, [what, reached]] of points.entries()) {
    const id = await addDocument(text(i));
    start();
    await eventually(async () => reached(await progress(id)), { what, timeoutMs: 30_000 });
    await kill();
    start();
    const after = await eventually(
      async () => {
        const now = await progress(id);
        return now.status === 'processing' ? null : now;
      },
      { what: `recovery from a kill ${what}`, timeoutMs: 40_000 },
    );
    await kill();
    expect([what, after.status]).toEqual([what, 'ready']);
    expect(after.total).toBeGreaterThan(300);
    expect([after.chunks, after.vectors, after.done]).toEqual([after.total, after.total, after.total]);
    const texts = await house.query<{ content: string }>(
      'select content from chunks where document_id = $1 order by position',
      [id],
    );
    expect(new Set(texts.map(({ content }) => content)).size).toBe(after.total);
  }
}, 180_000);

test('a document deleted while it is embedded leaves no chunk, vector or file', async () => {
  const id = await addDocument(text(9));
  start();
  await eventually(async () => (await progress(id)).done > 0, { timeoutMs: 30_000 });
  await house.query('delete from documents where id = $1', [id]);
  await eventually(
    async () => {
      const [left] = await house.query<{ left: number }>(
        `select (select count(*) from chunks where document_id = $1)::int + (select count(*) from chunk_vectors where document_id = $1)::int
           + (select count(*) from tasks where key = $1)::int as left`,
        [id],
      );
      return left?.left === 0 && (await files.findSize(documentFileKey({ agentId, id }))) === null;
    },
    { timeoutMs: 30_000 },
  );
}, 60_000);

test('an embedding that fails on the way goes on with what is missing, and asks for nothing twice', async () => {
  const asks = (body: Record<string, unknown>, line: string): boolean =>
    JSON.stringify(body['input']).includes(`${line} of book 11 `);
  model.reset();
  model.script({ endpoint: 'embeddings', status: 400, when: (body) => asks(body, 'Line 6000') });
  const id = await addDocument(text(11));
  start(60_000);
  await eventually(async () => (await progress(id)).status === 'ready', { timeoutMs: 40_000 });
  const { total, vectors, chunks } = await progress(id);
  expect([chunks, vectors]).toEqual([total, total]);
  const times = (line: string): number => model.requests.filter(({ body }) => asks(body, line)).length;
  expect(times('Line 6000')).toBe(2);
  expect(times('Line 10')).toBe(1);
}, 60_000);
