import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Account } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { type Mishap, startUnreliableProxy, type UnreliableProxy } from './unreliable-proxy.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const tour = /^```ts client\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? '';
const lost: Mishap = { kind: 'lose' };

let app: TestApp;
let network: UnreliableProxy;
let ada: Account;
let folder: string;
// oxlint-disable-next-line typescript/no-explicit-any -- emitted while this runs: its types are tried by the compiler below
let emitted: any, client: any;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acs-client-'));
  const emit = run(process.execPath, [join(root, 'rest/client/emit.ts'), join(folder, 'client')]);
  app = await startTestApp();
  network = await startUnreliableProxy(app.baseUrl);
  ada = await app.signUp();
  await app.db.query(`update users set plan = 'creator' where id = $1`, [ada.id]);
  await emit;
  await mkdir(join(folder, 'node_modules'));
  await symlink(join(folder, 'client'), join(folder, 'node_modules/agent-chat-client'));
  await writeFile(join(folder, 'tour.mts'), tour);
  emitted = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'client/index.js')).href);
  client = emitted.createClient({ baseUrl: `${network.baseUrl}/`, credential: () => ada.token });
});
afterAll(async () => {
  await network.stop();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => network.happen());

const begin = async (): Promise<string> => (await app.createConversation(ada.token)).id;
const stored = async (id: string) =>
  (await app.db.query(`select role, content from messages where conversation_id = $1 order by position`, [id])).rows;
const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('the emitted package', () => {
  test('needs nothing else, and its types know what the service takes and gives', async () => {
    const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, lib: ['es2022'] };
    const node = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
    const config = { compilerOptions: { ...compilerOptions, ...node }, files: ['use.mts', 'tour.mts'] };
    await writeFile(join(folder, 'use.mts'), uses);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const output = await run(process.execPath, [tsc, '-p', folder]).then(
      () => '',
      (error: unknown) => (error as { stdout: string }).stdout,
    );
    expect(output).toBe('');
  });

  test('goes on the tour of the README', async () => {
    const env = { ...process.env, BASE_URL: network.baseUrl };
    const { stdout } = await run(process.execPath, [join(folder, 'tour.mts')], { env });
    const reply = network.seen().findIndex(({ path }) => path.endsWith('/stream'));
    expect(reply).toBeGreaterThan(0);
    expect(stdout.length).toBeGreaterThan(50);
    expect(stdout).toContain('assistant\nuser\nassistant\nuser');
  });

  test('is never written over something else', async () => {
    const emit = run(process.execPath, [join(root, 'rest/client/emit.ts'), folder]);
    await expect(emit).rejects.toThrow('holds something else');
  });
});

const uses = `
import { ApiError, createClient, verifyWebhook } from 'agent-chat-client';
const client = createClient({ baseUrl: '', credential: async () => '' });
for await (const agent of client.agents({ sort: 'name' })) agent.name.trim();
(await client.agents()).total.toFixed();
for await (const event of client.messageStream('', { content: '' }))
  if (event.type === 'delta') event.content.trim(); else event.message_id?.trim();
await client.uploadDocument('', { file: new File([''], 'a.md') });
await (await client.synthesizeSpeech({ text: '' })).arrayBuffer();
await client.createWebhook({ url: '', events: ['agent.created'] }, { idempotencyKey: '', signal: AbortSignal.timeout(1) });
try { await verifyWebhook({ body: '', headers: {}, secret: '' }); } catch (error) {
  if (error instanceof ApiError && error.code === 'not_found') error.requestId?.trim();
}
const event = await verifyWebhook({ body: '', headers: {}, secret: '' });
if (event.type === 'agent.created') event.data.instructions.trim();
else if (event.type === 'integration.error') event.data.error.code.trim() + event.data.platform;
else if (event.type === 'message.created') event.data.content.trim();
event.data.sequence.toFixed();
// @ts-expect-error only some events are of an agent
event.data.instructions;
// @ts-expect-error a number is no name
await client.createAgent({ name: 1, instructions: '' });
// @ts-expect-error there is no such event
await client.createWebhook({ url: '', events: ['agent.made'] });
// @ts-expect-error list items have no instructions
(await client.agents()).data[0]!.instructions;
`;

describe('a stream', () => {
  test('goes on where a dropped connection left it, however often it drops', async () => {
    const id = await begin();
    network.happen({ kind: 'cut', afterDeltas: 2 }, { kind: 'cut', afterDeltas: 1 });
    let text = '';
    let end: unknown;
    for await (const event of client.messageStream(id, { content: 'Tell me of primes. [[long:200]]' })) {
      if (event.type === 'delta') text += event.content;
      else end = event;
    }
    const [, question, reply] = await stored(id);
    expect(question).toMatchObject({ role: 'user' });
    expect(reply).toEqual({ role: 'assistant', content: text });
    expect(await stored(id)).toHaveLength(3);
    expect(end).toMatchObject({ type: 'done', conversation_id: id });
    const [start, ...resumed] = network.seen();
    expect(start).toMatchObject({ method: 'POST', key: expect.any(String) });
    expect(resumed).toHaveLength(2);
    for (const { method, lastEventId } of resumed) expect([method, lastEventId]).toEqual(['GET', expect.any(String)]);
  });

  test('whose beginning was lost is begun again without a second message', async () => {
    const id = await begin();
    network.happen(lost);
    const text = await client.messageStream(id, { content: 'What is a prime?' }).text();
    expect((await stored(id)).map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
    expect((await stored(id)).at(-1)?.content).toBe(text);
    const [first, second] = network.seen();
    expect(second?.key).toBe(first?.key);
  });

  test('that ends in an error throws it with its code', async () => {
    const id = await begin();
    const error = await thrownBy(client.messageStream(id, { content: '[[error:3]]' }).text());
    expect(error).toBeInstanceOf(emitted.ApiError);
    expect(error).toMatchObject({ code: expect.any(String), requestId: expect.any(String) });
  });

  test('stops at once when its caller does', async () => {
    const id = await begin();
    const stop = new AbortController();
    const reading = thrownBy(
      (async () => {
        const events = client.messageStream(id, { content: '[[slow]] Tell me more.' }, { signal: stop.signal });
        for await (const event of events) if (event.type === 'delta') stop.abort(new Error('enough'));
      })(),
    );
    expect(await reading).toMatchObject({ message: 'enough' });
    expect(network.seen()).toHaveLength(1);
  });
});

describe('a call whose answer was lost', () => {
  test('is made again under the same key and done once', async () => {
    const before = (await client.agents()).total;
    network.happen(lost, lost);
    const agent = await client.createAgent({ name: 'Once', instructions: 'You are one.' });
    expect((await client.agents()).total).toBe(before + 1);
    expect(
      new Set(
        network
          .seen()
          .slice(0, 3)
          .map(({ key }) => key),
      ).size,
    ).toBe(1);
    expect((await client.agent(agent.id)).name).toBe('Once');
  });

  test('stores a message once', async () => {
    const id = await begin();
    network.happen(lost);
    const { assistant_message } = await client.sendMessage(id, { content: 'What is a prime?' });
    expect(await stored(id)).toHaveLength(3);
    expect((await stored(id)).at(-1)?.content).toBe(assistant_message.content);
  });

  test('stores an uploaded document once', async () => {
    const { id } = await app.createAgent(ada.token);
    network.happen(lost);
    const file = new File(['# Primes\n\nTwo is the only even prime.\n'], 'primes.md');
    const document = await client.uploadDocument(id, { file });
    expect(document).toMatchObject({ filename: 'primes.md', size_bytes: file.size });
    expect((await client.documents(id)).data).toHaveLength(1);
    const content = await client.documentContent(id, document.id);
    expect(await content.text()).toBe(await file.text());
  });

  test('is not made again where that could do it twice', async () => {
    network.happen(lost);
    const body = { email: 'lost@example.com', password: 'correct horse battery', username: 'lost' };
    expect(await thrownBy(client.register(body))).toBeInstanceOf(emitted.ConnectionError);
    expect(network.seen()).toHaveLength(1);
  });
});

describe('a refusal', () => {
  const busy = (status: number, seconds: string): Mishap => ({
    kind: 'refuse',
    status,
    headers: { 'content-type': 'application/json', 'retry-after': seconds },
    body: JSON.stringify({ error: { code: status === 429 ? 'rate_limited' : 'unavailable', message: 'Not now.' } }),
  });

  test('for now is waited out as long as it says', async () => {
    network.happen(busy(503, '1'));
    const start = performance.now();
    await client.me();
    expect(performance.now() - start).toBeGreaterThanOrEqual(1_000);
  });

  test('for longer than the caller wants to wait is thrown at once', async () => {
    network.happen(busy(429, '3600'));
    const error = await thrownBy(client.me());
    expect(error).toMatchObject({ name: 'ApiError', status: 429, code: 'rate_limited', retryAfterSeconds: 3_600 });
    expect(network.seen()).toHaveLength(1);
  });

  test('is tried again so often and no more', async () => {
    network.happen(busy(503, '0'), busy(503, '0'), busy(503, '0'));
    expect(await thrownBy(client.me({ retries: 1 }))).toMatchObject({ status: 503 });
    expect(network.seen()).toHaveLength(2);
  });

  test('by something in between counts as a lost answer', async () => {
    network.happen({ kind: 'refuse', status: 502, body: '<html>Bad Gateway</html>' });
    expect((await client.me()).id).toBe(ada.id);
  });

  test('for good has its code, its details and the id of the request', async () => {
    const error = await thrownBy(client.createAgent({ name: '', instructions: 'x' }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request', requestId: expect.any(String) });
    expect(error).toMatchObject({ details: [{ field: 'name' }] });
  });

  test('is not needed for an id that would lead to another path', async () => {
    expect(() => client.deleteAgent('..')).toThrow('not an id');
    expect(network.seen()).toHaveLength(0);
  });
});

test('a list gives one page, or every item of every page', async () => {
  const { token } = await app.signUp();
  const reader = emitted.createClient({ baseUrl: app.baseUrl, credential: token });
  const { id } = await app.createConversation(token, { name: 'C' });
  for (const name of ['A', 'B']) await app.createAgent(token, { name });
  const names: string[] = [];
  for await (const agent of reader.agents({ sort: 'name', limit: 2 })) names.push(agent.name);
  expect(names).toEqual(['A', 'B', 'C']);
  expect((await reader.agents({ limit: 2 })).data).toHaveLength(2);

  await reader.sendMessage(id, { content: 'One' });
  const roles: string[] = [];
  for await (const message of reader.messages(id, { limit: 1 })) roles.push(message.role);
  expect(roles).toEqual(['assistant', 'user', 'assistant']);
});

describe('a delivery of a webhook', () => {
  test('is believed when it is the service’s, and not when anything was changed', async () => {
    const receiver = await startWebhookReceiver();
    const { secret } = await client.createWebhook({ url: receiver.url, events: ['agent.created'] });
    const agent = await app.createAgent(ada.token);
    const { body, headers } = await eventually(() => receiver.received[0]);
    await receiver.close();

    const event = await emitted.verifyWebhook({ body, headers, secret });
    expect(event).toMatchObject({ type: 'agent.created', data: { id: agent.id } });
    expect(await emitted.verifyWebhook({ body, headers, secret: ['whsec_old', secret], scheme: 'agent' })).toEqual(
      event,
    );

    const changed = Buffer.from(body.toString().replace('Ada', 'Eve'));
    const old = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 301) };
    const attempts = [
      { body: changed, headers, secret },
      { body: changed, headers, secret, scheme: 'agent' },
      { body, headers, secret: 'whsec_other' },
      { body, headers: old, secret },
      { body, headers: old, secret, toleranceSeconds: 1e9 },
      { body, headers: {}, secret },
      { body, headers: { ...headers, 'x-agent-signature': '' }, secret, scheme: 'agent' },
    ];
    for (const attempt of attempts)
      expect(await thrownBy(emitted.verifyWebhook(attempt))).toBeInstanceOf(emitted.WebhookVerificationError);
  });

  test('is checked with the secret that its owner chose', async () => {
    const receiver = await startWebhookReceiver();
    const secret = 'whsec_bXkgb3du';
    await client.createWebhook({ url: receiver.url, events: ['agent.created'], secret });
    await app.createAgent(ada.token);
    const { body, headers } = await eventually(() => receiver.received[0]);
    await receiver.close();
    expect(await emitted.verifyWebhook({ body, headers, secret })).toMatchObject({ type: 'agent.created' });
  });
});
