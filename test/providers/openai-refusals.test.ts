import { describe, expect, test } from 'vitest';
import { openScriptedProvider } from './scripted-provider.ts';

const { simulator, createModel, read, failure } = openScriptedProvider();

describe('a provider that refuses a field', () => {
  /** A provider that reports the fields in this way, and knows only the usual ones. */
  const refuse = (field: string, status: number, error: object, times = 1): void =>
    simulator.script({
      when: (body) => field in body,
      times,
      raw: { status, headers: { 'content-type': 'application/json' }, pieces: [JSON.stringify(error)] },
    });
  const sent = () => simulator.requests.map(({ body }) => body);

  test.each([
    [
      'FastAPI',
      422,
      { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] },
    ],
    ['OpenAI', 400, { error: { message: "Unsupported parameter: 'stream_options'", param: 'stream_options' } }],
    ['a text', 400, { error: 'json: unknown field "stream_options"' }],
    ['vLLM', 400, { object: 'error', message: '[stream_options] Extra fields not allowed', code: 400 }],
  ])('gets the request without it, and never again: %s', async (_, status, error) => {
    const from = createModel();
    refuse('stream_options', status, error, 2);
    expect((await read({ from })).reason).toBe('stop');
    expect((await read({ from })).reason).toBe('stop');
    expect(sent().map((body) => 'stream_options' in body)).toEqual([true, false, false]);
  });

  test('gets an older name of the limit, and then none', async () => {
    const from = createModel();
    const unknown = (field: string) => ({ error: { message: `Unrecognized request argument supplied: ${field}` } });
    refuse('max_completion_tokens', 400, unknown('max_completion_tokens'));
    refuse('max_tokens', 400, unknown('max_tokens'));
    await read({ from });
    expect(sent().map(({ max_completion_tokens: one, max_tokens: other }) => [one, other])).toEqual([
      [4_096, undefined],
      [undefined, 4_096],
      [undefined, undefined],
    ]);
  });

  test('is remembered for that model only', async () => {
    const from = createModel();
    refuse('temperature', 400, { error: { message: "'temperature' does not support 0.7 with this model." } });
    await read({ from, profile: { providerModel: 'one' } });
    await read({ from, profile: { providerModel: 'other' } });
    expect(sent().map((body) => 'temperature' in body)).toEqual([true, false, true]);
  });

  test('does not get fields that the configuration omits', async () => {
    const unsupportedFields = ['max_completion_tokens', 'stream_options', 'temperature'] as const;
    await read({ profile: { unsupportedFields } });
    expect(sent()).toEqual([expect.objectContaining({ max_tokens: 4_096 })]);
    for (const field of unsupportedFields) expect(sent()[0]).not.toHaveProperty(field);
  });

  test('because of its value gets no second request', async () => {
    refuse('max_completion_tokens', 400, { error: { message: 'max_completion_tokens is too large: 4096.' } });
    expect((await failure({ from: createModel() })).message).toContain('rejected');
    expect(simulator.requests).toHaveLength(1);
  });
});

describe('a prompt that is too long', () => {
  test.each([
    ['OpenAI', 400, { error: { message: "This model's maximum context length is 8192 tokens." } }],
    [
      'Anthropic',
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' },
      },
    ],
    [
      'Anthropic with its limit',
      400,
      { error: { message: 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000' } },
    ],
    [
      'Gemini',
      400,
      [
        {
          error: {
            code: 400,
            message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    ],
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
        },
      },
    ],
    [
      'LM Studio',
      400,
      {
        error:
          'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      },
    ],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message: 'The decoder prompt (length 9000) is longer than the maximum model length of 8192.',
        code: 400,
      },
    ],
    [
      'TGI',
      422,
      {
        error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000',
        error_type: 'validation',
      },
    ],
    [
      'TGI for the input',
      422,
      { error: '`inputs` must have less than 1024 tokens. Given: 2000', error_type: 'validation' },
    ],
    [
      'xAI',
      400,
      {
        code: 'Client specified an invalid argument',
        error: "This model's maximum prompt length is 131072 but the request contains 153061 tokens.",
      },
    ],
    ['Bedrock', 400, { Message: 'Input is too long for requested model.' }],
    [
      'Mistral',
      400,
      {
        object: 'error',
        message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
        type: 'invalid_request_prompt',
      },
    ],
    [
      'OpenRouter',
      400,
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: { raw: '{"error":{"message":"prompt is too long"}}' },
        },
      },
    ],
    ['FastAPI', 400, { detail: 'prompt too long; exceeded max context length by 12 tokens' }],
  ])('is context_length_exceeded: %s', async (_, status, body) => {
    simulator.script({
      raw: { status, headers: { 'content-type': 'application/json' }, pieces: [JSON.stringify(body)] },
    });
    expect((await failure()).code).toBe('context_length_exceeded');
  });
});

describe('a provider that refuses the call', () => {
  test.each([
    [
      'a used-up quota',
      429,
      { error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } },
      'upstream_error',
      'quota',
    ],
    ['a used-up balance', 402, { error: { message: 'Insufficient Balance' } }, 'upstream_error', 'quota'],
    ['a used-up credit', 400, { error: { message: 'Your credit balance is too low' } }, 'upstream_error', 'quota'],
    [
      'a rate limit',
      429,
      [
        {
          error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'You exceeded your current quota, please retry' },
        },
      ],
      'rate_limited',
      'moment',
    ],
    ['a credential', 401, { error: { message: 'no' } }, 'upstream_error', 'credential'],
    ['a model', 404, { error: { message: 'no such model' } }, 'upstream_error', 'does not offer this model'],
    ['a size', 413, { error: 'Payload Too Large' }, 'context_length_exceeded', 'too large'],
    [
      'a filter of Azure',
      400,
      {
        error: {
          code: 'content_filter',
          message: 'The response was filtered',
          innererror: { code: 'ResponsibleAIPolicyViolation' },
        },
      },
      'upstream_error',
      'content filter',
    ],
    [
      'an overload',
      529,
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      'upstream_error',
      'overloaded',
    ],
    ['a gateway', 502, '<html>Bad gateway</html>', 'upstream_error', 'fault'],
    ['anything else', 400, { error: { message: 'Bad messages' } }, 'upstream_error', 'rejected'],
  ])('says which: %s', async (_, status, body, code, explanation) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    simulator.script({ raw: { status, headers: { 'retry-after': '0' }, pieces: [text] }, times: 3 });
    const error = await failure();
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(explanation)]);
    simulator.reset();
  });

  test.each([
    ['seconds', () => '17', 17, 17],
    ['a date', () => new Date(Date.now() + 40_000).toUTCString(), 30, 41],
    ['a date in the past', () => 'Wed, 21 Oct 2015 07:28:00 GMT', 1, 1],
    ['a year', () => '31536000', 86_400, 86_400],
  ])('passes its Retry-After on: %s', async (_, header, least, most) => {
    simulator.script({ raw: { status: 503, headers: { 'retry-after': header() }, pieces: ['{}'] }, times: 3 });
    const { retryAfterSeconds } = await failure({ from: createModel({ firstDeltaTimeoutMs: 900 }) });
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(least);
    expect(retryAfterSeconds).toBeLessThanOrEqual(most);
    simulator.reset();
  });

  test('is counted by the kind of the failure until a call succeeds', async () => {
    const from = createModel();
    simulator.script({ status: 401 });
    await failure({ from });
    expect([from.lastFailure, from.failures.get('credential')]).toEqual(['credential', 1]);
    await read({ from });
    expect([from.lastFailure, from.failures.get('credential')]).toEqual([null, 1]);
  });

  test('in the middle of the stream is classified by what the error says', async () => {
    const inStream = (error: object) =>
      simulator.script({ raw: { pieces: [`data: ${JSON.stringify({ error })}\n\n`] } });
    const kinds: string[] = [];
    for (const error of [
      { code: 429, message: 'slow down' },
      { type: 'overloaded_error' },
      { message: 'prompt is too long' },
    ]) {
      inStream(error);
      kinds.push((await failure()).message);
    }
    expect(kinds).toEqual([
      expect.stringContaining('too many requests'),
      expect.stringContaining('overloaded'),
      expect.stringContaining('too long'),
    ]);
  });
});

test('a request that is not understood reveals neither the prompt nor the credential', async () => {
  const secret = 'a secret of the person';
  simulator.script({
    raw: {
      status: 400,
      pieces: [JSON.stringify({ error: { message: secret, code: secret.repeat(9), type: secret } })],
    },
  });
  const error = await failure({ message: secret });
  expect(`${error.message} ${error.stack} ${(error.cause as Error).stack}`).not.toContain(secret.repeat(2));
  expect(error.message).not.toContain(secret);
});
