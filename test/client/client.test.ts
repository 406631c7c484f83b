import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type EmittedClient, openEmittedClient, thrownBy } from './emitted-client.ts';
import type { Mishap } from './unreliable-proxy.ts';

const lost: Mishap = { kind: 'lose' };

let emittedClient: EmittedClient;
let { app, network, ada, emitted, client } = {} as EmittedClient;

beforeAll(async () => {
  emittedClient = await openEmittedClient();
  ({ app, network, ada, emitted, client } = emittedClient);
});
afterAll(() => emittedClient.close());
beforeEach(() => network.happen());

const begin = async (): Promise<string> => (await app.createConversation(ada.token)).id;
const stored = async (id: string) =>
  (await app.db.query(`select role, content from messages where conversation_id = $1 order by position`, [id])).rows;

describe('a stream', () => {
  test('resumes after each dropped connection', async () => {
    const id = await begin();
    network.happen({ kind: 'cut', afterDeltas: 1 }, { kind: 'cut', afterDeltas: 1 });
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

  test('whose start was lost is restarted without a second message', async () => {
    const id = await begin();
    network.happen(lost);
    const text = await client.messageStream(id, { content: 'What is a prime?' }).text();
    expect((await stored(id)).map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
    expect((await stored(id)).at(-1)?.content).toBe(text);
    const [first, second] = network.seen();
    expect(second?.key).toBe(first?.key);
  });

  test('that ends with an error throws it with its code', async () => {
    const id = await begin();
    const error = await thrownBy(client.messageStream(id, { content: '[[error:3]]' }).text());
    expect(error).toBeInstanceOf(emitted.ApiError);
    expect(error).toMatchObject({ code: expect.any(String), requestId: expect.any(String) });
  });

  test('stops when its caller aborts', async () => {
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

describe('a call whose response was lost', () => {
  test('is retried under the same key and runs once', async () => {
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

  test('is not retried where that could run it twice', async () => {
    network.happen(lost);
    const body = { email: 'lost@example.com', password: 'correct horse battery', username: 'lost' };
    expect(await thrownBy(client.register(body))).toBeInstanceOf(emitted.ConnectionError);
    expect(network.seen()).toHaveLength(1);
    network.happen(lost);
    const report = { subject_type: 'agent', subject_id: 'agent_1', reason: 'spam' } as const;
    expect(await thrownBy(client.report(report))).toBeInstanceOf(emitted.ConnectionError);
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

  test('with Retry-After is retried after that time', async () => {
    network.happen(busy(503, '1'));
    const start = performance.now();
    await client.me();
    expect(performance.now() - start).toBeGreaterThanOrEqual(1_000);
  });

  test('with a Retry-After over the limit is thrown immediately', async () => {
    network.happen(busy(429, '3600'));
    const error = await thrownBy(client.me());
    expect(error).toMatchObject({ name: 'ApiError', status: 429, code: 'rate_limited', retryAfterSeconds: 3_600 });
    expect(network.seen()).toHaveLength(1);
  });

  test('is retried up to the maximum', async () => {
    network.happen(busy(503, '0'), busy(503, '0'), busy(503, '0'));
    expect(await thrownBy(client.me({ retries: 1 }))).toMatchObject({ status: 503 });
    expect(network.seen()).toHaveLength(2);
  });

  test('by a proxy counts as a lost response', async () => {
    network.happen({ kind: 'refuse', status: 502, body: '<html>Bad Gateway</html>' });
    expect((await client.me()).id).toBe(ada.id);
  });

  test('has its code, its details and the request id', async () => {
    const error = await thrownBy(client.createAgent({ name: '', instructions: 'x' }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request', requestId: expect.any(String) });
    expect(error).toMatchObject({ details: [{ field: 'name' }] });
  });

  test('happens before the request for an id that would change the path', async () => {
    expect(() => client.deleteAgent('..')).toThrow('not an id');
    expect(network.seen()).toHaveLength(0);
  });
});
