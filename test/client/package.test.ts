import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { type EmittedClient, openEmittedClient, root, run, thrownBy } from './emitted-client.ts';

const page = readFileSync(join(root, 'docs/typescript-client.md'), 'utf8');
const tour = /^```ts client\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '';

let emittedClient: EmittedClient;
let { app, network, ada, folder, emitted, client } = {} as EmittedClient;

beforeAll(async () => {
  emittedClient = await openEmittedClient();
  ({ app, network, ada, folder, emitted, client } = emittedClient);
  await writeFile(join(folder, 'tour.mts'), tour);
});
afterAll(() => emittedClient.close());

describe('the emitted package', () => {
  test('has no dependencies, and its types match the service', async () => {
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

  test('runs the tour of the guide', async () => {
    const env = { ...process.env, BASE_URL: network.baseUrl };
    const { stdout } = await run(process.execPath, [join(folder, 'tour.mts')], { env });
    const reply = network.seen().findIndex(({ path }) => path.endsWith('/stream'));
    expect(reply).toBeGreaterThan(0);
    expect(stdout.length).toBeGreaterThan(50);
    expect(stdout).toContain('assistant\nuser\nassistant\nuser');
  });

  test('never overwrites other files', async () => {
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
// @ts-expect-error only some events have an agent
event.data.instructions;
// @ts-expect-error a name is a string
await client.createAgent({ name: 1, instructions: '' });
// @ts-expect-error the event does not exist
await client.createWebhook({ url: '', events: ['agent.made'] });
// @ts-expect-error list items have no instructions
(await client.agents()).data[0]!.instructions;
`;

test('a list returns one page, or iterates over the items of all pages', async () => {
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
  test('is accepted as sent and rejected after any change', async () => {
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

  test('is verified with a secret that the owner chose', async () => {
    const receiver = await startWebhookReceiver();
    const secret = 'whsec_bXkgb3du';
    await client.createWebhook({ url: receiver.url, events: ['agent.created'], secret });
    await app.createAgent(ada.token);
    const { body, headers } = await eventually(() => receiver.received[0]);
    await receiver.close();
    expect(await emitted.verifyWebhook({ body, headers, secret })).toMatchObject({ type: 'agent.created' });
  });
});
