import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid } from '../../src/core/ids.ts';
import type { Candidate } from '../../src/knowledge/retrieval/candidates.ts';
import { readRelevant } from '../../src/knowledge/retrieval/relevant-chunks.ts';
import type { Harness } from '../support/harness.ts';
import { addAgentWithChunks } from '../support/knowledge-rows.ts';
import { openHarness } from '../support/open-harness.ts';

let harness: Harness;
const agentId = newUuid();
const same = Array.from({ length: 20 }, (_, i) => `chk_same${i}`);
const texts = { chk_tea: 'Tea is hot.', chk_rye: 'Rye is a grain.', chk_oak: 'Oak is a tree.' };

beforeAll(async () => {
  harness = await openHarness();
  const alike = same.map((id) => [id, 'The harbour of the town closes at midnight.']);
  await addAgentWithChunks(harness, agentId, { ...Object.fromEntries(alike), ...texts });
});
afterAll(() => harness.close());

const candidate = (chunkId: string): Candidate => ({
  chunkId,
  similarity: null,
  coverage: 0.5,
  words: [],
  nearness: null,
  score: 0.2,
  isCertain: false,
  passage: null,
});
const relevant = (ids: readonly string[], limit: number) =>
  readRelevant(harness.newCtx(), agentId, ids.map(candidate), limit);

test('near-duplicates do not displace other results, however many there are', async () => {
  const found = await relevant([...same, ...Object.keys(texts)], 3);
  expect(found.map(({ chunkId }) => chunkId)).toEqual(['chk_same0', 'chk_tea', 'chk_rye']);
});

test('omits chunks that were deleted meanwhile, and returns the next ones instead', async () => {
  const found = await relevant(['chk_gone', 'chk_oak', 'chk_gone2', 'chk_tea'], 2);
  expect(found.map(({ content }) => content)).toEqual([texts.chk_oak, texts.chk_tea]);
});

test('states the share of words as similarity while there are no vectors', async () => {
  expect(await relevant(['chk_tea'], 1)).toMatchObject([{ similarity: 0.5, nearness: null }]);
});
