import { afterAll, expect, test } from 'vitest';
import { dotProduct } from '../../src/core/vectors.ts';
import { createLocalEmbedder } from '../../src/providers/local-embeddings/embedder.ts';
import { createFixtureEmbedder } from '../eval/fixture-embedder.ts';
import { evalQuestions } from '../eval/question-set.ts';

const embedder = createLocalEmbedder();
afterAll(() => embedder.stop());
const { signal } = new AbortController();
const texts = evalQuestions.slice(0, 3).map(({ question }) => question);

/** Loads the model first, because on a loaded machine that takes longer than the timeout of a question. */
const loaded = embedder.embed(['Hello'], signal);

test('returns the vectors with which the ranking is measured', async () => {
  await loaded;
  const made = await embedder.embed(texts, signal);
  const expected = await createFixtureEmbedder().embed(texts, signal);
  for (const [i, vector] of made.entries()) expect(dotProduct(vector, expected[i]!)).toBeGreaterThan(0.999);
});

test('embeds a question before waiting chunks', async () => {
  await loaded;
  const order: string[] = [];
  const note = (name: string) => () => order.push(name);
  await Promise.all([
    embedder.embed(['one'], signal).then(note('one')),
    embedder.embed(['two'], signal).then(note('two')),
    embedder.embedQuestion(['asked']).then(note('asked')),
  ]);
  expect(order).toEqual(['one', 'asked', 'two']);
});

test('embeds text without words, and drops aborted requests', async () => {
  const [empty] = await embedder.embed([''], signal);
  expect(empty).toHaveLength(512);
  const abort = new AbortController();
  const dropped = embedder.embed(texts, abort.signal);
  abort.abort(new Error('gone'));
  await expect(dropped).rejects.toThrow('gone');
  expect(await embedder.embed(texts.slice(0, 1), signal)).toHaveLength(1);
});

test('rejects waiting requests when it stops', async () => {
  const other = createLocalEmbedder();
  const [made] = await Promise.allSettled([other.embed(texts, signal), other.stop()]);
  expect(made.status).toBe('rejected');
});
