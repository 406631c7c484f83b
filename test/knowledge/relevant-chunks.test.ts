import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { type FoundChunks, readRelevant } from '../../src/knowledge/relevant-chunks.ts';
import type { House } from '../support/house.ts';
import { addAgentWithChunks } from '../support/knowledge-rows.ts';
import { openHouse } from '../support/open-house.ts';

let house: House;
const agentId = newId('agent');
const same = Array.from({ length: 20 }, (_, i) => `chk_same${i}`);
const texts = { chk_tea: 'Tea is hot.', chk_rye: 'Rye is a grain.', chk_oak: 'Oak is a tree.' };
const other = Object.keys(texts);

beforeAll(async () => {
  house = await openHouse();
  const alike = same.map((id) => [id, 'The harbour of the town closes at midnight.']);
  await addAgentWithChunks(house, agentId, { ...Object.fromEntries(alike), ...texts });
});
afterAll(() => house.close());

const relevant = async (found: Partial<FoundChunks>, limit: number) => {
  const whole = {
    ids: [],
    nearest: [],
    trusted: null,
    similarityAtMost: () => 1,
    similaritiesOf: () => new Map<string, number>(),
    ...found,
  };
  return (await readRelevant(house.newCtx(), agentId, whole, limit)).map(({ chunkId }) => chunkId);
};

test('what is nearly the same takes the place of nothing else, however much of it there is', async () => {
  expect(await relevant({ ids: [...same, ...other] }, 3)).toEqual(['chk_same0', 'chk_tea', 'chk_rye']);
});

test('chunks are measured by the most similar one that still exists', async () => {
  const similarities = new Map([
    ['chk_gone', 0.95],
    ['chk_tea', 0.4],
    ['chk_rye', 0.3],
    ['chk_oak', 0.1],
  ]);
  const found = { trusted: new Set<string>(), similaritiesOf: () => similarities };
  const gone = ['chk_gone', 'chk_gone2', 'chk_gone3'];
  expect(await relevant({ ...found, ids: [...gone, ...other], nearest: ['chk_gone', 'chk_tea'] }, 5)).toEqual([
    'chk_tea',
    'chk_rye',
  ]);
  expect(await relevant({ ...found, ids: [...other, ...gone], nearest: [...gone, 'chk_tea'] }, 1)).toEqual(['chk_tea']);
});

test('an order that is not by similarity is cut by the nearest, wherever that one stands', async () => {
  const similarities = new Map([
    ['chk_tea', 0.3],
    ['chk_oak', 0.9],
  ]);
  const found = { nearest: ['chk_oak'], similaritiesOf: () => similarities };
  expect(await relevant({ ...found, ids: other, trusted: new Set() }, 1)).toEqual(['chk_oak']);
  expect(await relevant({ ...found, ids: other, trusted: new Set(['chk_rye']) }, 1)).toEqual(['chk_rye']);
});

test('behind the first chunks those are found that can be alike enough, and only those are asked for', async () => {
  const similarities = new Map([...same.map((id) => [id, 0.1] as const), ['chk_oak', 0.9], ['chk_tea', 0.5]]);
  const asked: string[] = [];
  const similaritiesOf = (ids: readonly string[]) => {
    asked.push(...ids);
    return similarities;
  };
  const known = (id: string) => ({ chk_oak: 0.9, chk_tea: 0.5 })[id] ?? 0.3;
  const found = { nearest: ['chk_oak'], trusted: new Set<string>(), similarityAtMost: known, similaritiesOf };
  expect(await relevant({ ...found, ids: [...same, 'chk_oak'] }, 2)).toEqual(['chk_oak']);
  expect(await relevant({ ...found, ids: [...same, ...other] }, 2)).toEqual(['chk_tea', 'chk_oak']);
  expect(asked).not.toContain('chk_rye');
  expect(await relevant({ ...found, trusted: new Set(['chk_rye']), ids: [...same, ...other] }, 3)).toEqual([
    'chk_tea',
    'chk_rye',
    'chk_oak',
  ]);
});
