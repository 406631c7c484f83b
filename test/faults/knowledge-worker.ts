import { processUploadedDocument } from '../../jobs/process-document.ts';
import { removeDeletedDocument } from '../../jobs/remove-document.ts';
import type { Job } from '../../jobs/job.ts';
import { createWorker } from '../../jobs/worker.ts';
import { openFileStore } from '../../src/providers/files/file-store.ts';
import { createOpenAiEmbedder } from '../../src/providers/openai/embedder.ts';
import { createPostgresVectors } from '../../src/providers/postgres-vectors/vector-store.ts';
import { createHouse } from '../support/house.ts';

/** A process that does the jobs of documents, until it is killed. Arguments: database, folder of files, provider, lease in ms. */
const [url = '', filesUrl = '', baseUrl = '', leaseMs = ''] = process.argv.slice(2);

const house = await createHouse({
  url,
  config: { knowledge: { chunkSize: { tokens: 400, overlapTokens: 50 } } },
  ports: {
    tasks: { wake: (kind, at) => worker.wake(kind, at) },
    files: await openFileStore(filesUrl),
    embedder: createOpenAiEmbedder({ apiKey: 'test', baseUrl, model: 'text-embedding-3-small', dimensions: 64 }),
  },
});
house.ports.vectors = createPostgresVectors({ sql: house.newCtx().sql });
const worker = createWorker({
  jobs: [{ ...processUploadedDocument, leaseMs: Number(leaseMs) } as Job, removeDeletedDocument as Job],
  databaseUrl: url,
  mongodbUrl: null,
  works: true,
  newCtx: house.newCtx,
  log: house.log,
});
worker.start();
