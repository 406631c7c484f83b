import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { platform } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { fileForm } from '../support/knowledge.ts';
import { makeScratchFolder } from '../support/scratch-folder.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const root = resolve(import.meta.dirname, '../..');
// Inside the repository, where the bundle finds the packages that it does not contain.
const bundle = join(root, `dist/service-of-test-${process.pid}`);
const loadedFiles = new URL('../support/loaded-files.ts', import.meta.url).href;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let dataDir: string;
let service: ServiceProcess;
/** URLs of the modules that the start loaded. */
let atStart: string[];

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'deploy/pack/service.ts'), bundle], { cwd: root });
  [database, dataDir] = await Promise.all([createTestDatabase(), makeScratchFolder('acs-bundle-')]);
  const listed = join(dataDir, 'loaded.txt');
  service = await startServiceProcess(
    { DATABASE_URL: database.url, DATA_DIR: dataDir, LOADED_FILES: listed },
    { main: join(bundle, 'main.js'), nodeArgs: ['--import', loadedFiles] },
  );
  atStart = (await readFile(listed, 'utf8')).trim().split('\n');
}, 120_000);
afterAll(async () => {
  await service.kill();
  await database.drop();
  await rm(bundle, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the name of an unbundled package, or of a chunk without its hash. */
const nameOf = (url: string): string =>
  /\/node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*\/node_modules\/)/.exec(url)?.[1] ??
  (/\/([^/]+?)(?:-[\w-]{8})?\.js$/.exec(url)?.[1] || url);

describe('the start of the bundled service', () => {
  test('loads fewer than a hundred files', () => {
    expect(atStart.length).toBeLessThan(100);
  });

  test('loads no package but those that have native parts, or that its own chunks share', () => {
    const outside = atStart.filter((url) => url.includes('/node_modules/')).map(nameOf);
    const expected = [
      /^@node-rs\/argon2/,
      // Of the speech simulator, and chunks that several entries of `npm run build` share.
      /^espeak-ng$/,
      /^(?:\.shared|flydrive|@opentelemetry)$/,
      /^@opentelemetry\/api$/,
      // Only its error classes.
      /^openai$/,
    ];
    expect(new Set(outside.filter((name) => !expected.some((one) => one.test(name))))).toEqual(new Set());
    expect(outside.filter((name) => name === 'openai').length).toBeLessThan(10);
  });

  test('loads nothing that is only needed later', () => {
    const chunks = new Set(atStart.map(nameOf));
    for (const name of ['apollo', 'run-migrations', 's3', 'marked.esm', 'chat-server', 'chat-workspace', 'embedder'])
      expect(chunks).not.toContain(name);
  });
});

describe('the bundled service', () => {
  test('serves GraphQL, REST, pages and documents', async () => {
    const { token } = await service.signUp();
    const { id } = await service.createAgent(token);
    expect((await service.call('GET', `/v1/agents/${id}`, { as: token })).body).toMatchObject({ id });
    const { body } = await service.graphql('{ me { id } }', { as: token });
    expect(body.data.me.id).toMatch(/^usr_/);
    for (const path of ['/chat', '/docs', '/docs/events'])
      expect((await service.send('GET', path, { headers: { accept: 'text/html' } })).status).toBe(200);
  });

  test('extracts a document in a process of its own, and replies to a message', async () => {
    const { token } = await service.signUp();
    const { id, agent_id: agentId } = await service.createConversation(token);
    const documents = `/v1/knowledge/${agentId}/documents`;
    const uploaded = await service.call('POST', documents, { as: token, body: fileForm('a.txt', 'The tower is red.') });
    await eventually(
      async () =>
        (await service.call('GET', `${documents}/${uploaded.body.id}`, { as: token })).body.status === 'ready',
      { what: 'the document', timeoutMs: 60_000 },
    );
    const path = `/v1/conversations/${id}/messages`;
    const { status } = await service.call('POST', path, { as: token, body: { content: 'Which colour?' } });
    expect(status).toBe(201);
  });
});

// Other systems bound what a process may ask for.
test.skipIf(platform() !== 'linux')('simultaneous connections wait for a busy process', async () => {
  const allowed = Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8'));
  const count = Math.min(2_000, allowed);
  service.signal('SIGSTOP');
  const { port, hostname } = new URL(service.baseUrl);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  try {
    let open = 0;
    for (const socket of sockets) socket.on('error', () => undefined).once('connect', () => open++);
    await eventually(() => open === count, { what: `${count} connections` });
  } finally {
    for (const socket of sockets) socket.destroy();
    service.signal('SIGCONT');
  }
});
