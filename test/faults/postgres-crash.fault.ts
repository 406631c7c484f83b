import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/core/process/log.ts';
import { type OpenAiSimulator, startOpenAiSimulator } from '../../src/simulators/openai.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { openSocket, subscribe } from '../support/socket.ts';

let dataDir: string;
let model: OpenAiSimulator;
let service: ServiceProcess;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'acs-crash-'));
  model = await startOpenAiSimulator({ log: createLogger('silent') });
  service = await startServiceProcess({ DATA_DIR: dataDir, OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.baseUrl });
});
afterAll(async () => {
  service.signal('SIGTERM');
  await service.exited;
  await model.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the pid of the PostgreSQL of the service's data folder. */
async function postmaster(): Promise<number> {
  const files = await readdir(dataDir, { recursive: true });
  const file = files.find((name) => name.endsWith('postmaster.pid')) ?? '';
  return Number((await readFile(join(dataDir, file), 'utf8')).split('\n', 1)[0]);
}

test('completes and stores a reply during which PostgreSQL is killed', async () => {
  const ada = await service.signUp();
  const { id } = await service.createConversation(ada.token);
  const pieces = Array.from({ length: 20 }, (_, i) => `piece ${i} `);
  model.script({ when: 'Count', deltas: pieces, deltaDelayMs: 50 });
  let text = '';
  let last = '';
  for await (const event of service.stream(`/v1/conversations/${id}/messages/stream`, {
    as: ada.token,
    body: { content: 'Count' },
  })) {
    if (text === '') process.kill(await postmaster(), 'SIGKILL');
    if (event.event === 'delta') text += event.data.content;
    last = event.event;
  }
  expect([last, text]).toEqual(['done', pieces.join('')]);
  const answer = await eventually(async () => {
    const read = await service.call('GET', `/v1/conversations/${id}`, { as: ada.token });
    return read.status === 200 ? read : null;
  });
  expect(answer.body.messages.map((message: { content: string }) => message.content)).toEqual([
    'Hello.',
    'Count',
    pieces.join(''),
  ]);
});

test('completes and stores a turn of a room during which PostgreSQL is killed, and the turn that waits for it', async () => {
  const ada = await service.signUp();
  const as = ada.token;
  const { id } = expectStatus(await service.call('POST', '/v1/rooms', { as, body: { name: 'Kitchen' } }), 201).body;
  const agent = await service.createAgent(as, { name: 'Ada' });
  expectStatus(await service.call('POST', `/v1/rooms/${id}/agents`, { as, body: { agent_id: agent.id } }), 201);
  const pieces = Array.from({ length: 20 }, (_, i) => `piece ${i} `);
  model.script({ when: 'Count', deltas: pieces, deltaDelayMs: 50 });
  const socket = await openSocket(service.baseUrl, as);
  await subscribe(socket, '1', `room:${id}`);
  const post = (content: string) => service.call('POST', `/v1/rooms/${id}/messages`, { as, body: { content } });
  expectStatus(await post('Count'), 201);
  expectStatus(await post('Thanks'), 201);
  await socket.take({ type: 'turn.delta' });
  process.kill(await postmaster(), 'SIGKILL');
  const turns = await eventually(
    async () => {
      const { status, body } = await service.call('GET', `/v1/rooms/${id}/turns`, { as });
      const listed = status === 200 ? (body.data as { state: string }[]) : [];
      return listed.length === 2 && listed.every(({ state }) => state === 'complete') && listed;
    },
    { timeoutMs: 30_000, what: 'both turns' },
  );
  expect(turns).toHaveLength(2);
  const { data } = expectStatus(await service.call('GET', `/v1/rooms/${id}/messages`, { as }), 200).body;
  const said = (data as { position: number; content: string }[]).toReversed();
  expect(said.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
  expect(said.filter(({ content }) => content === pieces.join('').trimEnd())).toHaveLength(1);
  socket.close();
});

test('returns 503 with Retry-After while PostgreSQL is down, and stays alive', async () => {
  const ada = await service.signUp();
  process.kill(await postmaster(), 'SIGKILL');
  const refused = await eventually(
    async () => {
      const answer = await service.call('GET', '/v1/agents', { as: ada.token });
      return answer.status === 200 ? null : answer;
    },
    { timeoutMs: 1_000 },
  ).catch(() => null);
  // Recovery can be faster than the next request; any other response than 200 must be this one.
  if (refused) {
    expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable']);
    expect(refused.headers.get('retry-after')).toBe('1');
  }
  await eventually(async () => (await service.call('GET', '/v1/agents', { as: ada.token })).status === 200);
  expectStatus(
    await service.call('POST', '/v1/agents', { as: ada.token, body: { name: 'A', instructions: 'B' } }),
    201,
  );
});
