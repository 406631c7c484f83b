import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countTokens } from '../../src/core/tokens.ts';
import { createEmbeddings } from '../../src/embeds/embeddings/create-embeddings.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let ada: Account;
let client: OpenAI;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp();
  const body = { name: 'vectors', scopes: ['embeddings:use'] };
  const { key } = expectStatus(await app.call('POST', '/v1/auth/api-keys', { as: ada.token, body }), 201).body;
  client = new OpenAI({ apiKey: key, baseURL: `${app.baseUrl}/v1`, maxRetries: 0 });
});
afterAll(() => app.close());

const model = 'text-embedding-3-small';
const post = (body: object, as = ada.token) => app.call('POST', '/v1/embeddings', { as, body });
const used = async ({ id }: { id: string } = ada) =>
  Number(
    (await app.db.query('select embedding_tokens from usage_counters where user_id = $1', [id])).rows[0]
      .embedding_tokens,
  );

/** 101 texts, for two requests to the provider, which takes 100 at once. */
const twoBatches = (first: string, last: string) => [first, ...Array.from({ length: 99 }, (_, i) => `Text ${i}`), last];
const tokensOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + countTokens(text), 0);

test('OpenAI’s SDK gets the same vectors as floats and as base64', async () => {
  const input = ['How far is the moon?', 'Primes have two divisors.'];
  const floats = await client.embeddings.create({ model, input, encoding_format: 'float' });
  // Without a format the SDK requests base64 and decodes it.
  const decoded = await client.embeddings.create({ model, input });
  expect(floats).toMatchObject({ object: 'list', model, data: [{ object: 'embedding', index: 0 }, { index: 1 }] });
  expect(floats.usage.prompt_tokens).toBe(floats.usage.total_tokens);
  expect(decoded.data.map(({ embedding }) => embedding)).toEqual(floats.data.map(({ embedding }) => embedding));
  const { body } = await post({ model, input: input[0], encoding_format: 'base64' });
  const bytes = Buffer.from(body.data[0].embedding, 'base64');
  expect(bytes.readFloatLE(0)).toBeCloseTo(floats.data[0]?.embedding[0] ?? NaN, 6);
  expect(await used()).toBe(floats.usage.total_tokens * 2 + body.usage.total_tokens);
});

test('tokens of cl100k_base get the vectors of their text, as one list or as several, and are counted as sent', async () => {
  const texts = ['How far is the moon?', 'Primes 学习 😀'];
  const { data } = await client.embeddings.create({ model, input: texts });
  const lists = texts.map((text) => encode(text));
  const before = await used();
  const several = await client.embeddings.create({ model, input: lists });
  expect(several.data.map(({ embedding }) => embedding)).toEqual(data.map(({ embedding }) => embedding));
  const tokens = lists.flat().length;
  expect(several.usage.total_tokens).toBe(tokens);
  expect(await used()).toBe(before + tokens);
  const one = await client.embeddings.create({ model, input: lists[1] ?? [] });
  expect(one.data.map(({ embedding }) => embedding)).toEqual([data[1]?.embedding]);
  const query = `mutation { createEmbeddings(input: { input: [${lists[0]?.join(', ')}] }) { data { embedding } } }`;
  const graphql = await app.graphql(query, { as: ada.token });
  expect(graphql.body.data.createEmbeddings.data[0].embedding[0]).toBeCloseTo(data[0]?.embedding[0] ?? NaN, 5);
  // The first of the tokens of an emoji is a part of a character.
  expect((await post({ input: encode('😀').slice(0, 1) })).status).toBe(400);
});

test('a shorter vector is the start of the long one, normalized to length 1', async () => {
  const [{ embedding: long }] = (await post({ input: 'Moon' })).body.data;
  const [{ embedding: short }] = (await post({ input: 'Moon', dimensions: 64 })).body.data;
  expect(short).toHaveLength(64);
  expect(Math.hypot(...short)).toBeCloseTo(1, 5);
  const length = Math.hypot(...long.slice(0, 64));
  short.forEach((value: number, i: number) => expect(value).toBeCloseTo(long[i] / length, 5));
});

test.each<[object, string]>([
  [{ input: 'x', model: 'another-model' }, 'model'],
  [{ input: [] }, 'input'],
  [{ input: '' }, 'input'],
  [{ input: ['a', 7] }, 'input'],
  [{ input: Array.from({ length: 257 }, () => 'a') }, 'input'],
  [{ input: 'x', dimensions: 100_000 }, 'dimensions'],
  [{ input: 'x', encoding_format: 'hex' }, 'encoding_format'],
  [{}, 'input'],
])('refuses bad input %#, naming the field', async (body, field) => {
  const { status, body: refused } = await post(body);
  expect([status, refused.error.code]).toEqual([400, 'invalid_request']);
  expect(refused.error.details[0].field.startsWith(field)).toBe(true);
});

test.each([
  [Array.from({ length: 257 }, () => 'a'), 'input', 'must have at most 256 items'],
  [[], 'input', 'must not be empty'],
  [['a', ''], 'input[1]', 'must not be empty'],
  [7, 'input', 'must be a string, a list of strings, a list of tokens or a list of lists of tokens'],
  [[1, -1], 'input', 'must be tokens of cl100k_base: whole numbers from 0 to 100,255'],
  [[[1], [100_256]], 'input[1]', 'must be tokens of cl100k_base: whole numbers from 0 to 100,255'],
  [[[1], []], 'input[1]', 'must not be empty'],
  [[1.5], 'input', 'must be tokens of cl100k_base: whole numbers from 0 to 100,255'],
  [[Array.from({ length: 8_192 }, () => 1)], 'input[0]', 'must have at most 8,191 items'],
])('says what is allowed for input %#', async (input, field, message) => {
  const { body } = await post({ input });
  expect(body.error.details).toMatchObject([{ field, message }]);
});

test('tokens of a failed request are refunded, and requests over the daily limit return 429', async () => {
  const before = await used();
  app.model.script({ endpoint: 'embeddings', when: 'unlucky', status: 400 });
  expect((await post({ input: 'unlucky' })).status).toBe(502);
  expect(await used()).toBe(before);
  await app.db.query('update usage_counters set embedding_tokens = 99999 where user_id = $1', [ada.id]);
  expect((await post({ input: 'The last request of a day may go over it.' })).status).toBe(200);
  const refused = await post({ input: 'One more.' });
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await expect(client.embeddings.create({ model, input: 'x' })).rejects.toMatchObject({ status: 429 });
});

test('a failure after the first batch refunds only the texts that were not embedded', async () => {
  const grace = await app.signUp();
  const input = twoBatches('In luck', 'Out of luck');
  app.model.script({ endpoint: 'embeddings', when: 'Out of luck', status: 400 });
  expect((await post({ input }, grace.token)).status).toBe(502);
  expect(await used(grace)).toBe(tokensOf(input.slice(0, 100)));
});

test('a caller who leaves is charged for the batch that was sent, and no other is sent', async () => {
  const { id: userId } = await app.signUp();
  const ctx = app.app.newCtx({
    kind: 'user',
    userId,
    plan: 'free',
    scopes: ['embeddings:use'],
    sessionId: null,
    apiKeyId: null,
    ip: null,
  });
  const input = twoBatches('Leaving soon', 'Never sent');
  const isSent = (text: string) => app.model.requests.some(({ body }) => JSON.stringify(body).includes(text));
  const gate = Promise.withResolvers<void>();
  app.model.script({ endpoint: 'embeddings', when: 'Leaving soon', gate: gate.promise });
  const left = new AbortController();
  const created = createEmbeddings(ctx, { input }, left.signal);
  created.catch(() => undefined);
  await eventually(() => isSent('Leaving soon'));
  left.abort();
  gate.resolve();
  await expect(created).rejects.toThrow('aborted');
  expect(isSent('Never sent')).toBe(false);
  expect(await used({ id: userId })).toBe(tokensOf(input.slice(0, 100)));
});

test('a key needs the scope', async () => {
  const body = { name: 'other', scopes: ['knowledge:read'] };
  const { key } = expectStatus(await app.call('POST', '/v1/auth/api-keys', { as: ada.token, body }), 201).body;
  expect((await post({ input: 'x' }, key)).body.error.code).toBe('insufficient_scope');
});
