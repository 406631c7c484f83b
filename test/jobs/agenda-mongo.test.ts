import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorker, type Worker } from '../../jobs/worker.ts';
import { writeTask } from '../../src/core/tasks/tasks.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createHarness, type Harness } from '../support/harness.ts';
import { startMongoFake } from '../support/mongo-fake/server.ts';
import { describeJobs } from './agenda.suite.ts';

describeJobs(async () => {
  const fake = await startMongoFake();
  return { mongodbUrl: fake.url, close: () => fake.close() };
});

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let harness: Harness;
let worker: Worker;

beforeAll(async () => {
  database = await createTestDatabase();
  harness = await createHarness({
    url: database.url,
    ports: { tasks: { wake: (kind, at) => worker.wake(kind, at) } },
  });
});
afterAll(async () => {
  await worker.stop(0);
  await harness.close();
  await database.drop();
});

test('work is done and retried while MongoDB is gone', async () => {
  const fake = await startMongoFake();
  let runs = 0;
  const job = {
    kind: 'test.without-mongo',
    retryDelaysSeconds: [2],
    handle: async () => {
      if (++runs === 1) throw new Error('not yet');
    },
  };
  worker = createWorker({
    jobs: [job],
    databaseUrl: database.url,
    mongodbUrl: fake.url,
    works: true,
    newCtx: harness.newCtx,
    log: harness.log,
  });
  worker.start();
  await writeTask(harness.newCtx(), job.kind, {});
  await eventually(() => runs === 1);
  await fake.close();
  await eventually(() => runs === 2);
  expect(await harness.query('select id from tasks')).toEqual([]);
});
