import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { apiKey, openScriptedProvider } from './scripted-provider.ts';
import { limitsTime } from '../support/wall-clock.ts';

const { simulator, createModel, read, failure } = openScriptedProvider();

describe('a reply', () => {
  test('arrives in the deltas of the provider and ends with its finish reason and its usage', async () => {
    simulator.script({ deltas: ['Good', ' morning', ' 🌞'] });
    expect(await read()).toMatchObject({
      pieces: ['Good', ' morning', ' 🌞'],
      reason: 'stop',
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    });
  });

  test('that reaches the limit of its tokens finishes as length', async () => {
    const { reason } = await read({ message: 'How do I bake bread?', profile: { maxOutputTokens: 16 } });
    expect(reason).toBe('length');
  });

  test('is requested with the name, temperature and limits of its profile', async () => {
    await read({ profile: { providerModel: 'm', temperature: 0.25, maxOutputTokens: 99, reasoningEffort: undefined } });
    expect(simulator.requests.at(-1)?.body).toMatchObject({
      model: 'm',
      temperature: 0.25,
      max_completion_tokens: 99,
      stream: true,
    });
    expect(simulator.requests.at(-1)?.body).not.toHaveProperty('reasoning_effort');
  });

  test('of a reasoning model is requested without a temperature, which such models refuse', async () => {
    await read({ profile: { reasoningEffort: 'low' } });
    expect(simulator.requests.at(-1)?.body).toMatchObject({ reasoning_effort: 'low' });
    expect(simulator.requests.at(-1)?.body).not.toHaveProperty('temperature');
  });

  test('can be stored, whatever its pieces contain', async () => {
    simulator.script({ deltas: ['a\0', 'b\ud83c', '\udf1e', '\udf1ec', '\0', '\ud83c'] });
    expect((await read()).text).toBe('ab🌞\ufffdc');
  });

  test('has its tokens counted by the service when the provider sends no usage', async () => {
    simulator.script({ deltas: ['one two three'], usage: false });
    expect(await read()).toMatchObject({ usage: { inputTokens: expect.any(Number), outputTokens: 3 } });
  });

  test('of 20,000 deltas arrives completely', async () => {
    const deltas = Array.from({ length: 20_000 }, (_, i) => ` ${i}`);
    simulator.script({ deltas });
    expect((await read()).text === deltas.join('')).toBe(true);
  });
});

test('a connection is reused, even when its response ends shortly after the last event', async () => {
  const finish = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] };
  let connections = 0;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(finish)}\n\ndata: [DONE]\n\n`, () => setImmediate(() => response.end()));
  });
  server.on('connection', () => (connections += 1)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const from = createModel({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
    await vi.waitFor(async () => {
      const before = connections;
      expect((await read({ from })).text).toBe('Hi');
      expect(connections).toBe(before);
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

describe('a provider that refuses', () => {
  test.each([
    [
      { status: 429, retryAfterSeconds: 30 },
      { code: 'rate_limited', retryAfterSeconds: 30 },
    ],
    [{ status: 429, retryAfterSeconds: 0, times: 3 }, { code: 'rate_limited' }],
    [{ status: 401 }, { code: 'upstream_error' }],
    [{ status: 403 }, { code: 'upstream_error' }],
    [{ status: 404 }, { code: 'upstream_error' }],
    [{ status: 400, error: { code: 'context_length_exceeded' } }, { code: 'context_length_exceeded' }],
    [
      { status: 400, error: { message: "This model's maximum context length is 8192 tokens." } },
      { code: 'context_length_exceeded' },
    ],
    [{ status: 500, retryAfterSeconds: 0, times: 3 }, { code: 'upstream_error' }],
  ])('with %j becomes %j', async (rule, expected) => {
    simulator.script(rule);
    expect(await failure()).toMatchObject(expected);
  });

  test('because the prompt is too long becomes context_length_exceeded', async () => {
    const error = await failure({
      message: 'word '.repeat(300),
      profile: { providerModel: 'tiny-model', maxOutputTokens: 50 },
    });
    expect(error.code).toBe('context_length_exceeded');
  });

  test('never shows its credential or its host', async () => {
    simulator.script({ status: 401, error: { message: `Incorrect API key provided: ${apiKey}` } });
    const errors = [
      await failure(),
      await failure({ from: createModel({ baseUrl: 'http://127.0.0.1:9/v1', firstDeltaTimeoutMs: 300 }) }),
    ];
    for (const error of errors) {
      const told = `${error.message} ${error.stack} ${(error.cause as Error).stack}`;
      expect(told).not.toContain(apiKey);
      expect(told).not.toContain('127.0.0.1:');
    }
  });
});

describe('retries', () => {
  test('happen at most twice, and only before a response', async () => {
    simulator.script({ status: 503, retryAfterSeconds: 0, times: 2 });
    expect((await read()).reason).toBe('stop');
    expect(simulator.requests).toHaveLength(3);
    simulator.reset();
    simulator.script({ status: 503, retryAfterSeconds: 0, times: 3 });
    await failure();
    expect(simulator.requests).toHaveLength(3);
    simulator.reset();
    simulator.script({ fault: { kind: 'drop', after: 1 } });
    await failure();
    expect(simulator.requests).toHaveLength(1);
  });

  test('happen after a connection that broke before the headers', async () => {
    simulator.script({ fault: { kind: 'drop', after: 'before_headers' } });
    expect((await read()).reason).toBe('stop');
    expect(simulator.requests).toHaveLength(2);
  });

  test('do not happen when the requested wait exceeds the time limit of the first delta', limitsTime, async () => {
    simulator.reset();
    simulator.script({ status: 429, retryAfterSeconds: 6 });
    const start = performance.now();
    expect(await failure()).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 6 });
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(simulator.requests).toHaveLength(1);
  });
});
