import { createWorker } from '../../jobs/worker.ts';
import { createLogger } from '../../src/core/process/log.ts';
import { openFileStore } from '../../src/providers/files/file-store.ts';
import { createOpenAiEmbedder } from '../../src/providers/openai/embedder.ts';
import { createPostgresVectors } from '../../src/providers/postgres-vectors/vector-store.ts';
import { createHarness } from '../support/harness.ts';
import { jobOf } from '../support/jobs.ts';

/** A process that runs the jobs of documents until it is killed. Arguments: database, folder of files, provider, lease in ms. */
const [url = '', filesUrl = '', baseUrl = '', leaseMs = ''] = process.argv.slice(2);

const harness = await createHarness({
  url,
  config: { knowledge: { chunkSize: { tokens: 400, overlapTokens: 50 } } },
  ports: {
    tasks: { wake: (kind, at) => worker.wake(kind, at) },
    files: await openFileStore(filesUrl, createLogger('silent')),
    embedder: createOpenAiEmbedder({ apiKey: 'test', baseUrl, model: 'text-embedding-3-small', dimensions: 64 }),
  },
});
harness.ports.vectors = createPostgresVectors({ sql: harness.newCtx().sql });
const worker = createWorker({
  jobs: [{ ...jobOf('document.process'), leaseMs: Number(leaseMs) }, jobOf('document.remove')],
  databaseUrl: url,
  mongodbUrl: null,
  works: true,
  newCtx: harness.newCtx,
  log: harness.log,
});
worker.start();
