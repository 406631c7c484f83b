import { describe, expect, test, vi } from 'vitest';
import { openScriptedProvider } from './scripted-provider.ts';

const { simulator, createModel, read, failure } = openScriptedProvider();

describe('a provider that breaks', () => {
  test.each([
    ['drops the connection', { fault: { kind: 'drop', after: 2 } }, 'upstream_error'],
    ['ends without a finish_reason', { fault: { kind: 'end', after: 2 } }, 'upstream_error'],
    ['sends an error object', { fault: { kind: 'error', after: 2 } }, 'upstream_error'],
    [
      'sends a rate limit',
      { fault: { kind: 'error', after: 2, error: { code: 'rate_limit_exceeded', type: 'requests' } } },
      'rate_limited',
    ],
    [
      'says that the context is too long',
      { fault: { kind: 'error', after: 2, error: { code: 'context_length_exceeded' } } },
      'context_length_exceeded',
    ],
    ['is stopped by its content filter', { finishReason: 'content_filter' }, 'upstream_error'],
    ['calls a tool', { finishReason: 'tool_calls' }, 'upstream_error'],
  ] as const)('and %s fails the reply after the text that was read', async (_, rule, code) => {
    simulator.script({ deltas: ['one', ' two'], ...rule });
    let text = '';
    expect((await failure({ onText: (content) => (text += content) })).code).toBe(code);
    expect(text).toBe('one two');
  });

  test('ends the reply immediately with an error that names its content filter', async () => {
    simulator.script({ deltas: ['no'], finishReason: 'content_filter' });
    expect((await failure()).message).toContain('content filter');
  });
});

describe('a provider that is silent', () => {
  const impatient = () => createModel({ firstDeltaTimeoutMs: 150, idleTimeoutMs: 150 });

  test.each([
    ['before its headers', { fault: { kind: 'hang', after: 'before_headers' } }],
    ['before its first delta', { firstDeltaDelayMs: 10_000 }],
    ['after three deltas', { deltas: ['a', 'b', 'c'], fault: { kind: 'hang', after: 3 } }],
  ] as const)('%s fails with upstream_timeout and is disconnected', async (_, rule) => {
    simulator.script(rule);
    expect((await failure({ from: impatient() })).code).toBe('upstream_timeout');
    await vi.waitFor(() => expect(simulator.requests.map(({ outcome }) => outcome)).toEqual(['aborted']));
  });

  test('for less than the idle time between its deltas does not fail', async () => {
    simulator.script({ deltas: Array.from('abcdefgh'), deltaDelayMs: 300 });
    const patient = createModel({ firstDeltaTimeoutMs: 2_000, idleTimeoutMs: 2_000 });
    expect((await read({ from: patient })).text).toBe('abcdefgh');
  });
});

describe('an abort', () => {
  test.each([
    ['before the headers', { fault: { kind: 'hang', after: 'before_headers' } }],
    ['between two deltas', { deltas: ['a'], fault: { kind: 'hang', after: 1 } }],
  ] as const)('%s rejects with its reason and disconnects', async (_, rule) => {
    simulator.script(rule);
    const stop = new AbortController();
    const reading = read({ signal: stop.signal });
    await vi.waitFor(() => expect(simulator.requests).toHaveLength(1));
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(reading).rejects.toBe(reason);
    await vi.waitFor(() => expect(simulator.requests[0]?.outcome).toBe('aborted'));
  });

  test('before the call sends nothing', async () => {
    const reason = new Error('stopped');
    await expect(read({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(simulator.requests).toHaveLength(0);
  });

  test('while it waits to retry ends the wait', async () => {
    simulator.script({ status: 429, retryAfterSeconds: 4 });
    const stop = new AbortController();
    const reading = read({ signal: stop.signal });
    await vi.waitFor(() => expect(simulator.requests[0]?.outcome).toBe('failed'));
    stop.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
    expect(simulator.requests).toHaveLength(1);
  });

  test('is what an exception of the reader does', async () => {
    simulator.script({ deltas: ['a', 'b'], fault: { kind: 'hang', after: 2 } });
    const reason = new TypeError('no more of it');
    const onText = () => {
      throw reason;
    };
    await expect(read({ onText })).rejects.toBe(reason);
    await vi.waitFor(() => expect(simulator.requests[0]?.outcome).toBe('aborted'));
  });
});
