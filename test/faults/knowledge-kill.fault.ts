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
import { newId, newUuid } from '../../src/core/ids.ts';
import { documentFileKey } from '../../src/knowledge/document.ts';
import { enqueueProcessing } from '../../src/knowledge/upload-document.ts';
import { openFileStore } from '../../src/providers/files/file-store.ts';
import { type OpenAiSimulator, startOpenAiSimulator } from '../../src/simulators/openai.ts';
import { eventually } from '../support/eventually.ts';
import { addAgent, addUser } from '../support/account-rows.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';

let harness: Harness;
let files: FileStore;
let folder = '';
let model: OpenAiSimulator;
const workers = new Set<ChildProcess>();
const userId = newId('usr_');
const agentId = newUuid();

beforeAll(async () => {
  harness = await openHarness();
  folder = await mkdtemp(join(tmpdir(), 'knowledge-kill-'));
  files = await openFileStore(pathToFileURL(folder).href, pino({ level: 'silent' }));
  model = await startOpenAiSimulator({ log: pino({ level: 'silent' }) });
  await addUser(harness, userId);
  await addAgent(harness, userId, agentId);
});
afterEach(() => Promise.all([...workers].map(kill)));
afterAll(async () => {
  await model.stop();
  await harness.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a worker. The lease is short where a process is killed or suspended, long where no lease may be lost. */
function start(leaseMs = 1_500): ChildProcess {
  const args = [
    join(import.meta.dirname, 'knowledge-worker.ts'),
    harness.url,
    pathToFileURL(folder).href,
    model.baseUrl,
    `${leaseMs}`,
  ];
  const worker = spawn(process.execPath, ['--no-warnings', ...args], { stdio: 'ignore' });
  workers.add(worker);
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  workers.delete(worker);
  if (worker.exitCode !== null || worker.signalCode) return;
  const gone = once(worker, 'exit');
  worker.kill('SIGKILL');
  await gone;
}

/** Different sentences, so that no two chunks are alike. */
const text = (seed: number): string =>
  Array.from(
    { length: 12_000 },
    (_, i) => `Line ${i} of book ${seed} tells of number ${(i * 7_919 + seed) % 104_729}.`,
  ).join('\n');

/** Whether a request for embeddings includes a line of a text. */
const asks = (body: Record<string, unknown>, line: string): boolean =>
  JSON.stringify(body['input']).includes(`${line} `);

async function addDocument(content: string): Promise<string> {
  const id = newId('doc_');
  await files.put(documentFileKey({ agentId, id }), Readable.from([content]));
  await harness.query(
    `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, created_at)
     values ($1, $2, $3, 'a.txt', 'txt', $4, 'processing', now())`,
    [id, agentId, userId, content.length],
  );
  await enqueueProcessing(harness.newCtx(), id);
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
  const [row] = await harness.query<Progress>(
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
  ['as soon as it was claimed', ({ attempts }) => attempts > 0],
  ['while its chunks are stored', ({ chunks }) => chunks > 0],
  ['while it is embedded', ({ done }) => done > 100],
  ['when nearly everything is embedded', ({ done, total }) => total !== null && done > total * 0.8],
];

test('completes a document whose process is killed at any step, with each chunk and vector once', async () => {
  for (const [i, [what, reached]] of points.entries()) {
    const id = await addDocument(text(i));
    const killed = start();
    await eventually(async () => reached(await progress(id)), { what, timeoutMs: 30_000 });
    await kill(killed);
    const successor = start();
    const after = await eventually(
      async () => {
        const now = await progress(id);
        return now.status === 'processing' ? null : now;
      },
      { what: `recovery from a kill ${what}`, timeoutMs: 40_000 },
    );
    await kill(successor);
    expect([what, after.status]).toEqual([what, 'ready']);
    expect(after.total).toBeGreaterThan(300);
    expect([after.chunks, after.vectors, after.done]).toEqual([after.total, after.total, after.total]);
    const texts = await harness.query<{ content: string }>(
      'select content from chunks where document_id = $1 order by position',
      [id],
    );
    expect(new Set(texts.map(({ content }) => content)).size).toBe(after.total);
  }
}, 180_000);

test('leaves no chunk, vector or file of a document that is deleted while it is embedded', async () => {
  const id = await addDocument(text(9));
  start();
  await eventually(async () => (await progress(id)).done > 0, { timeoutMs: 30_000 });
  await harness.query('delete from documents where id = $1', [id]);
  await eventually(
    async () => {
      const [left] = await harness.query<{ left: number }>(
        `select (select count(*) from chunks where document_id = $1)::int + (select count(*) from chunk_vectors where document_id = $1)::int
           + (select count(*) from tasks where key = $1)::int as left`,
        [id],
      );
      return left?.left === 0 && (await files.findSize(documentFileKey({ agentId, id }))) === null;
    },
    { timeoutMs: 30_000 },
  );
});

test('resumes a failed embedding at the missing chunks, without embedding any twice', async () => {
  model.reset();
  model.script({ endpoint: 'embeddings', status: 400, when: (body) => asks(body, 'Line 6000 of book 11') });
  const id = await addDocument(text(11));
  start(60_000);
  await eventually(async () => (await progress(id)).status === 'ready', { timeoutMs: 40_000 });
  const { total, vectors, chunks } = await progress(id);
  expect([chunks, vectors]).toEqual([total, total]);
  const times = (line: string): number => model.requests.filter(({ body }) => asks(body, line)).length;
  expect(times('Line 6000 of book 11')).toBe(2);
  expect(times('Line 10 of book 11')).toBe(1);
});

test('writes nothing twice when a suspended process resumes after its lease', async () => {
  const response = Promise.withResolvers<void>();
  model.script({ endpoint: 'embeddings', gate: response.promise, when: (body) => asks(body, 'Line 9000 of book 13') });
  const id = await addDocument(text(13));
  const suspended = start();
  await eventually(async () => (await progress(id)).done > 0, { timeoutMs: 30_000 });
  suspended.kill('SIGSTOP');
  const { done: doneBefore } = await progress(id);
  start();
  await eventually(async () => (await progress(id)).done > doneBefore, { what: 'the takeover', timeoutMs: 30_000 });
  suspended.kill('SIGCONT');
  response.resolve();
  const after = await eventually(
    async () => {
      const now = await progress(id);
      expect(now.done).toBeLessThanOrEqual(now.total ?? Infinity);
      return now.status === 'processing' ? null : now;
    },
    { timeoutMs: 60_000 },
  );
  expect(after.status).toBe('ready');
  const read = () =>
    harness.query<{ completedAt: Date; version: string }>(
      `select d.completed_at as "completedAt", v.version from documents d
       join agent_vector_versions v on v.agent_id = d.agent_id where d.id = $1`,
      [id],
    );
  const completed = await read();
  // Each worker proves that it has gone past the document by processing another one.
  const others = [await addDocument(text(14)), await addDocument(text(15))];
  await eventually(async () => (await Promise.all(others.map(progress))).every(({ status }) => status === 'ready'), {
    timeoutMs: 60_000,
  });
  expect((await read())[0]?.completedAt).toEqual(completed[0]?.completedAt);
  const last = await progress(id);
  expect([last.chunks, last.vectors, last.done]).toEqual([last.total, last.total, last.total]);
}, 180_000);
