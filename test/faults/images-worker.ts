import { createWorker } from '../../jobs/worker.ts';
import { createLogger } from '../../src/core/process/log.ts';
import { createImageEncoder } from '../../src/images/encoding/encoder.ts';
import { openFileStore } from '../../src/providers/files/file-store.ts';
import { createOpenAiContentCheck } from '../../src/providers/openai/content-check.ts';
import { createOpenAiImageGenerator } from '../../src/providers/openai/image-generator.ts';
import { createHarness } from '../support/harness.ts';
import { jobOf } from '../support/jobs.ts';

/** A process that makes images until it is killed. Arguments: database, folder of files, provider, lease in ms. */
const [url = '', filesUrl = '', baseUrl = '', leaseMs = ''] = process.argv.slice(2);

const provider = { apiKey: 'test', baseUrl };
const harness = await createHarness({
  url,
  config: { publicUrl: 'http://localhost', authKeys: [], images: { model: 'gpt-image-2.5-flare', timeoutMs: 60_000 } },
  ports: {
    tasks: { wake: (kind, at) => worker.wake(kind, at) },
    files: await openFileStore(filesUrl, createLogger('silent')),
    contentCheck: createOpenAiContentCheck({ ...provider, model: 'omni-moderation-latest' }),
    imageGenerator: createOpenAiImageGenerator({ ...provider, model: 'gpt-image-2.5-flare', timeoutMs: 60_000 }),
  },
});
harness.ports.imageEncoder = createImageEncoder(harness.log);
const worker = createWorker({
  jobs: [{ ...jobOf('image.make'), leaseMs: Number(leaseMs) }],
  databaseUrl: url,
  mongodbUrl: null,
  works: true,
  newCtx: harness.newCtx,
  log: harness.log,
});
worker.start();
