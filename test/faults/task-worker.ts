import type { Job } from '../../src/core/tasks/job.ts';
import { createWorker } from '../../jobs/worker.ts';
import { inTransaction } from '../../src/core/database/transaction.ts';
import { createHarness } from '../support/harness.ts';

/** A worker process that exits where its tasks say so. */
const [url = ''] = process.argv.slice(2);
const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
};

const job: Job<{ n: number; dieAt?: 'before' | 'inside' | 'after'; always?: boolean }> = {
  kind: 'test.fault',
  leaseMs: 1_000,
  concurrency: 4,
  handle: async (ctx, { n, dieAt, always = false }, run) => {
    const dies = always || run.attempt === 1;
    if (dies && dieAt === 'before') die();
    await inTransaction(ctx, async (inner) => {
      await inner.sql({ name: 'test_effect', text: 'insert into effects (n) values ($1)' }, [n]);
      await run.complete(inner);
      if (dies && dieAt === 'inside') die();
    });
    if (dies && dieAt === 'after') die();
  },
};

const harness = await createHarness({ url, ports: { tasks: { wake: (kind, at) => worker.wake(kind, at) } } });
const worker = createWorker({
  jobs: [job as Job],
  databaseUrl: url,
  mongodbUrl: null,
  works: true,
  newCtx: harness.newCtx,
  log: harness.log,
});
worker.start();
