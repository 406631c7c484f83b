import { request } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { countOf, report } from '../../support/fault-report.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import { expectDeath, type FaultHarness, openFaultHarness, signUpCreator } from './fault-harness.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await openFaultHarness();
});
afterEach(() => harness.killAll());
afterAll(() => harness.close());

/** The processing of a document is tried three times, so at most two processes in a row die at these steps. */
const moments = [
  ['document_received', 'document_committed'],
  ['document_embedded', 'document_upserted'],
  ['document_settled'],
];

/** Long enough for several batches of the embedder. */
const content = Array.from({ length: 6_000 }, (_, i) => `Line ${i} tells of number ${(i * 7_919) % 104_729}.`).join(
  '\n',
);

/** Returns the id of the document, or null if the connection broke before the response. */
async function upload(service: ServiceProcess, as: string, agentId: string): Promise<string | null> {
  const body = new FormData();
  body.append('file', new Blob([content]), 'book.txt');
  const answer = await service.call('POST', `/v1/knowledge/${agentId}/documents`, { as, body }).catch(() => null);
  return answer?.status === 201 ? (answer.body.id as string) : null;
}

/** Sends only the first half of a form. */
async function uploadHalf(service: ServiceProcess, as: string, agentId: string): Promise<void> {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="half.txt"\r\n\r\n';
  const call = request(`${service.baseUrl}/v1/knowledge/${agentId}/documents`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as}`,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '2000000',
    },
  });
  call.on('error', () => undefined);
  call.write(head + content);
  await eventually(async () => (await filesIn('.incoming')).length > 0, { what: 'a file that is being written' });
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(harness.dataDir, 'files', folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function endedAtStart(error: Error): null {
  if (!error.message.startsWith('the service ended at its start')) throw error;
  return null;
}

test(
  'completes acknowledged uploads within 60 s after kill -9 at each step, and leaves nothing of the others',
  async ({ task }) => {
    const rounds = countOf({ quick: 1, long: 40 });
    let acknowledged = 0;
    for (let round = 0; round < rounds; round++) {
      const first = await harness.start();
      const ada = await signUpCreator(first, harness.db);
      const { id: agentId } = await first.createAgent(ada.token);
      await uploadHalf(first, ada.token, agentId);
      await first.kill();
      for (const failpoints of moments) {
        const told: string[] = [];
        for (const failpoint of failpoints) {
          // It may reach the step before it is ready, when it resumes work of the previous process.
          const dying = await harness.start({}, { failpoint }).catch(endedAtStart);
          if (!dying) continue;
          const id = await upload(dying, ada.token, agentId);
          if (id) told.push(id);
          await expectDeath(dying, failpoint);
        }
        await expectCompletion(told);
        acknowledged += told.length;
      }
    }
    report(
      { task },
      { times: `6 steps × ${rounds}`, checked: `${acknowledged} acknowledged documents, all files and vectors` },
    );
  },
  200_000 * countOf({ quick: 1, long: 40 }),
);

/** Starts the service, and requires that it completes these documents and removes what is left of others. */
async function expectCompletion(told: readonly string[]): Promise<void> {
  const startMs = performance.now();
  await harness.start();
  const nothing = { waiting: [], lost: [], files: [], missing: [], incoming: [], strays: [] };
  await eventually(async () => JSON.stringify(await left(told)) === JSON.stringify(nothing), {
    timeoutMs: 60_000,
  }).catch(() => null);
  expect(await left(told)).toEqual(nothing);
  expect(performance.now() - startMs).toBeLessThan(65_000);
  const { rows } = await harness.db.query(`
    select d.id, d.chunks_total as total, (select count(*)::int from chunks c where c.document_id = d.id) as chunks,
      (select count(*)::int from chunk_vectors v where v.document_id = d.id) as vectors
    from documents d where status = 'ready'`);
  for (const { total, chunks, vectors } of rows) expect([chunks, vectors]).toEqual([total, total]);
  await harness.killAll();
}

/** Returns what is not as it should be once every document is ready. */
async function left(told: readonly string[]): Promise<Record<string, unknown[]>> {
  const { rows } = await harness.db.query<{ id: string; status: string }>('select id, status from documents');
  const known = new Set(rows.map(({ id }) => id));
  const files = await filesIn('agents');
  const strays = await harness.db.query(`
    select document_id from chunks where document_id not in (select id from documents)
    union select document_id from chunk_vectors where document_id not in (select id from documents)`);
  return {
    waiting: rows.filter(({ status }) => status !== 'ready').map(({ id, status }) => `${id} ${status}`),
    lost: told.filter((id) => !known.has(id)),
    files: files.filter((name) => !known.has(name)),
    missing: [...known].filter((id) => !files.includes(id)),
    incoming: await filesIn('.incoming'),
    strays: strays.rows,
  };
}
