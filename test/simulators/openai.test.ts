import OpenAI, { APIError } from 'openai';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ChatTurn } from '../../src/conversations/prompt/language-model.ports.ts';
import { buildPrompt, type PromptParts } from '../../src/conversations/prompt/prompt.ts';
import { greetingPrompt, summaryPrompt, titlePrompt } from '../../src/conversations/prompt/task-prompts.ts';
import { builtInModels } from '../../src/agents/models.ts';
import { type OpenAiSimulator, startOpenAiSimulator } from '../../src/simulators/openai.ts';

let simulator: OpenAiSimulator;
let openai: OpenAI;

beforeAll(async () => {
  simulator = await startOpenAiSimulator({ log: pino({ level: 'silent' }), contextTokens: { tiny: 100 } });
  openai = new OpenAI({ apiKey: 'any', baseURL: simulator.baseUrl, maxRetries: 0 });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.stop());

const complete = async (messages: readonly ChatTurn[]): Promise<string> =>
  (await openai.chat.completions.create({ model: 'gpt-6-luna', messages: [...messages] })).choices[0]?.message
    .content ?? '';

const ask = (message: string, parts: Partial<PromptParts> = {}): Promise<string> =>
  complete(buildPrompt({ instructions: 'Be helpful.', history: [], message, model: builtInModels.default, ...parts }));

const turns = (...texts: string[]): ChatTurn[] =>
  texts.map((content, i) => ({ role: i % 2 ? 'assistant' : 'user', content }));

const refusal = async (call: Promise<unknown>): Promise<APIError> => {
  const error: unknown = await call.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(APIError);
  return error as APIError;
};

describe('a reply of the simulator', () => {
  test('is deterministic, and the same streamed or not', async () => {
    const messages = buildPrompt({
      instructions: 'Be kind.',
      history: [],
      message: 'Explain tides to me',
      model: builtInModels.default,
    });
    const stream = await openai.chat.completions.create({
      model: 'gpt-6-luna',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const deltas: string[] = [];
    const finishReasons: string[] = [];
    let usage: unknown;
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) deltas.push(chunk.choices[0].delta.content);
      if (chunk.choices[0]?.finish_reason) finishReasons.push(chunk.choices[0].finish_reason);
      usage = chunk.usage ?? usage;
    }
    expect(deltas.length).toBeGreaterThan(20);
    expect(deltas.join('')).toBe(await complete(messages));
    expect(finishReasons).toEqual(['stop']);
    expect(usage).toMatchObject({ prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) });
  });

  test('does not change with the random key of a fence', async () => {
    const retrieved = [{ source: 'a.md', content: 'Tides follow the moon.' }];
    expect(await ask('What do tides follow?', { retrieved })).toBe(await ask('What do tides follow?', { retrieved }));
  });

  test('speaks as the agent that its instructions describe', async () => {
    const instructions = 'You are Captain Blackbeard, a pirate. Always end with "Yo ho ho!".';
    expect(await ask('Who are you?', { instructions })).toMatch(/Blackbeard.*Yo ho ho!$/s);
    expect(
      (await ask('Tell me about storms at sea. Take your time.', { instructions: 'Be concise.' })).length,
    ).toBeLessThan((await ask('Tell me about storms at sea. Take your time.')).length);
  });

  test.each([
    ["What's my name?", 'Maria'],
    ['Where do I live?', 'Lyon'],
    ['What is my favourite colour?', 'teal'],
    ['What did I say first?', 'favourite colour is teal'],
  ])('remembers what was said before: %s', async (message, expected) => {
    const history = turns('Hi, my name is Maria and I live in Lyon. My favourite colour is teal.', 'Nice to meet you.');
    expect(await ask(message, { history })).toContain(expected);
  });

  test('quotes the retrieved sentence that answers best, with its source', async () => {
    const retrieved = [
      { source: 'shipping.md', content: '# Refunds and shipping\n\nWe ship worldwide. Parcels are insured.' },
      {
        source: 'refunds.md',
        content:
          'Items can be sent back. Refunds are paid within\n14 days of our receiving the item. Gift cards are final.',
      },
    ];
    const reply = await ask('How long do refunds take?', { retrieved });
    expect(reply).toContain('> Refunds are paid within 14 days of our receiving the item.');
    expect(reply).toContain('refunds.md');
  });

  test('quotes text without spaces', async () => {
    const retrieved = [{ source: 'zh.txt', content: '灯塔建于一九二一年。守塔人叫李明，住在旁边。渡轮早上八点开船。' }];
    expect(await ask('守塔人叫什么名字？', { retrieved })).toContain('> 守塔人叫李明，住在旁边。');
    expect(await ask('渡轮几点开船？', { retrieved })).toContain('> 渡轮早上八点开船。');
  });

  test('calculates sums', async () => {
    expect(await ask('What is 12 * 7?')).toContain('84');
  });

  test('has different lengths and some Markdown', async () => {
    const replies = await Promise.all(
      ['Hi!', 'How do I plan a garden?', 'Write a function that sorts names'].map((message) => ask(message)),
    );
    expect(new Set(replies.map((reply) => Math.round(reply.length / 50))).size).toBe(3);
    expect(replies[1]).toMatch(/^1\. \*\*/m);
    expect(replies[2]).toContain('```ts');
  });

  test('is a short title, a greeting or a summary on request', async () => {
    const exchange = turns('How do I bake sourdough bread without a scale? My name is Tom.', 'Use cups.');
    const title = await complete(titlePrompt(exchange));
    expect(title).toMatch(/Sourdough Bread/);
    expect(title.length).toBeLessThanOrEqual(80);
    expect(await complete(greetingPrompt('You are Ada, a patient maths tutor.'))).toContain('Ada');
    const summary = await complete(summaryPrompt(exchange, 'Tom likes rye.'));
    expect(summary).toContain('rye');
    expect(summary).toContain('sourdough');
  });
});

describe('the protocol', () => {
  test('refuses a prompt that exceeds the context window as OpenAI does', async () => {
    const call = openai.chat.completions.create({
      model: 'tiny',
      messages: [{ role: 'user', content: 'word '.repeat(200) }],
    });
    expect(await refusal(call)).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      type: 'invalid_request_error',
    });
  });

  test('finishes with `length` at the requested number of tokens', async () => {
    const { choices, usage } = await openai.chat.completions.create({
      model: 'gpt-6-luna',
      messages: [{ role: 'user', content: 'How do I plan a garden?' }],
      max_completion_tokens: 10,
    });
    expect(choices[0]?.finish_reason).toBe('length');
    expect(usage?.completion_tokens).toBeLessThanOrEqual(10);
  });

  test('requires a credential, a known path and JSON', async () => {
    const post = (path: string, body: string, headers: Record<string, string> = { authorization: 'Bearer any' }) =>
      fetch(`${simulator.baseUrl}${path}`, { method: 'POST', body, headers });
    expect((await post('/chat/completions', '{}', {})).status).toBe(401);
    expect((await post('/nothing', '{}')).status).toBe(404);
    const broken = await post('/chat/completions', '{');
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({
      error: { type: 'invalid_request_error', message: expect.any(String) },
    });
  });

  test('lists models', async () => {
    expect((await openai.models.list()).data.map(({ id }) => id)).toContain(builtInModels.default.providerModel);
  });
});

describe('a marker in the message', () => {
  test.each([
    ['[[fail:429]]', { status: 429, code: 'rate_limit_exceeded' }],
    ['[[fail]]', { status: 500 }],
    ['[[fail:503]]', { status: 503 }],
  ])('%s fails', async (marker, expected) => {
    expect(await refusal(ask(`Hello ${marker}`))).toMatchObject(expected);
  });

  test('requests a reply of any length', async () => {
    expect((await ask('[[long:3000]]')).split(' ')).toHaveLength(3_000);
  });

  test('does not affect the title of its conversation, nor later replies when it is in an earlier message', async () => {
    expect(await complete(titlePrompt(turns('Tides and the moon [[fail]]', 'Yes.')))).toContain('Tides');
    expect(await ask('And now?', { history: turns('[[fail]]', 'Yes.') })).not.toBe('');
  });
});

describe('a script', () => {
  test('applies to matching requests, the given number of times', async () => {
    simulator.script({ when: /tides/, deltas: ['first'] });
    simulator.script({ deltas: ['any'], times: 2 });
    expect(await ask('About the moon')).toBe('any');
    expect(await ask('About tides')).toBe('first');
    expect(await ask('About tides')).toBe('any');
    expect((await ask('About tides')).length).toBeGreaterThan(10);
  });

  test('for a message does not apply to a title of its conversation', async () => {
    simulator.script({ when: /tides/, deltas: ['first'] });
    expect(await complete(titlePrompt(turns('About tides', 'Yes.')))).not.toBe('first');
    expect(await ask('About tides')).toBe('first');
  });

  test('records the newest requests with their prompts', async () => {
    await ask('Recorded?');
    expect(simulator.requests.at(-1)).toMatchObject({
      path: '/v1/chat/completions',
      outcome: 'completed',
      body: { messages: [{ role: 'system' }, { role: 'user', content: 'Recorded?' }] },
    });
    const small = await startOpenAiSimulator({ log: pino({ level: 'silent' }), keepRequests: 2 });
    const client = new OpenAI({ apiKey: 'any', baseURL: small.baseUrl });
    for (const input of ['a', 'b', 'c']) await client.embeddings.create({ model: 'text-embedding-3-small', input });
    expect(small.requests.map(({ body }) => body['input'])).toEqual(['b', 'c']);
    await small.stop();
  });

  test('records a caller that disconnects', async () => {
    simulator.script({ deltas: ['a', 'b'], fault: { kind: 'hang', after: 1 } });
    const hangUp = new AbortController();
    const stream = await openai.chat.completions.create(
      { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hi' }], stream: true },
      { signal: hangUp.signal },
    );
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === 'a') hangUp.abort();
    await vi.waitFor(() => expect(simulator.requests[0]).toMatchObject({ outcome: 'aborted', deltasSent: 1 }));
  });

  test('stops while responses are hanging', async () => {
    const other = await startOpenAiSimulator({ log: pino({ level: 'silent' }) });
    other.script({ fault: { kind: 'hang', after: 'before_headers' } });
    const client = new OpenAI({ apiKey: 'any', baseURL: other.baseUrl, maxRetries: 0 });
    const call = client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
    await vi.waitFor(() => expect(other.requests).toHaveLength(1));
    await Promise.all([other.stop(), expect(call).rejects.toThrow()]);
  });
});

describe('embeddings', () => {
  const embed = async (...input: string[]) =>
    (await openai.embeddings.create({ model: 'text-embedding-3-small', input, dimensions: 512 })).data.map(
      ({ embedding }) => embedding,
    );
  const cosine = (a: readonly number[] = [], b: readonly number[] = []) =>
    a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

  test('have the requested dimensions and length 1, and are deterministic', async () => {
    const [first, again, empty] = await embed('The cat sleeps.', 'The cat sleeps.', '!!!');
    expect(first).toHaveLength(512);
    expect(cosine(first, first)).toBeCloseTo(1, 5);
    expect(cosine(empty, empty)).toBeCloseTo(1, 5);
    expect(again).toEqual(first);
    const whole = await openai.embeddings.create({ model: 'text-embedding-3-small', input: 'x' });
    expect(whole.data[0]?.embedding).toHaveLength(1_536);
  });

  test('are the same as floats and as base64, which the SDK requests', async () => {
    const [decoded] = await embed('The cat sleeps.');
    const floats = await openai.embeddings.create({
      model: 'text-embedding-3-small',
      input: 'The cat sleeps.',
      dimensions: 512,
      encoding_format: 'float',
    });
    expect(floats.data[0]?.embedding).toEqual(decoded);
    expect(simulator.requests.map(({ body }) => body['encoding_format'])).toEqual(['base64', 'float']);
  });

  test('are nearer for texts that share words, inflected or misspelt, than for others', async () => {
    const [question, answer, misspelt, other] = await embed(
      'When are refunds paid?',
      'A refund is paid within 14 days of the return.',
      'refnud payed',
      'Our office in Lisbon has a garden with lemon trees.',
    );
    expect(cosine(question, answer)).toBeGreaterThan(cosine(question, other) + 0.15);
    expect(cosine(question, misspelt)).toBeGreaterThan(cosine(question, other) + 0.05);
  });

  test('fail as the script specifies', async () => {
    simulator.script({ endpoint: 'embeddings', when: 'seven', status: 503 });
    await embed('six');
    expect(await refusal(embed('seven'))).toMatchObject({ status: 503 });
    await embed('seven');
  });

  test('refuse an empty text and too many dimensions', async () => {
    expect(await refusal(embed(''))).toMatchObject({ status: 400 });
    expect(
      await refusal(openai.embeddings.create({ model: 'text-embedding-3-small', input: 'a', dimensions: 5_000 })),
    ).toMatchObject({ status: 400 });
  });
});
