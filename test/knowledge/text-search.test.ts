import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { planTextSearch, searchText } from '../../src/knowledge/text-search.ts';
import type { House } from '../support/house.ts';
import { addAgentWithChunks } from '../support/knowledge-rows.ts';
import { openHouse } from '../support/open-house.ts';

let house: House;
const [large, small, unspaced] = [newId('agent'), newId('agent'), newId('agent')];

/** Chunks whose ids end in 00 are the sample from which frequencies are told: forty of them stand for ten thousand. */
const addChunks = (agentId: string, contents: readonly string[]): Promise<void> =>
  addAgentWithChunks(
    house,
    agentId,
    Object.fromEntries(contents.map((content, i) => [`chk_${agentId}${i + 1}00`, content])),
  );

const books = Array.from({ length: 40 }, (_, i) => `Book of the house, page ${i + 1}.`);

beforeAll(async () => {
  house = await openHouse();
  await addChunks(large, [...books, 'A zebra.', 'The garden has a book and a house.', 'Garden shed.']);
  await addChunks(small, ['Book of the house.', 'A zebra.']);
  await addChunks(unspaced, [
    '灯塔建于1921年。守塔人住在旁边。',
    '轮船每天经过。渡轮早上八点开船。',
    'フェリーは朝八時に出ます。',
    '등대는 1921년에 지어졌다.',
  ]);
});
afterAll(() => house.close());

const found = async (agentId: string, question: string) => {
  const ctx = house.newCtx();
  const { any, all, isSample } = await searchText(ctx, await planTextSearch(ctx, agentId, question), 100);
  const number = (id: string): number => Number(id.slice(`chk_${agentId}`.length, -2));
  return { any: any.map(number), all: all.map(number), isSample };
};

test('in a small agent every chunk with any of the words is ranked', async () => {
  expect(await found(small, 'Which zebra has a book?')).toEqual({ any: [2, 1], all: [], isSample: false });
});

test('a word that most chunks have decides the order of those with the rarer words, and adds none of its own', async () => {
  expect(await found(large, 'Is there a book of the garden?')).toEqual({ any: [42, 43], all: [42], isSample: false });
  expect((await found(large, 'zebra book')).any).toEqual([41]);
});

test('where every word is frequent, a sample answers and says that it is one', async () => {
  const { any, isSample } = await found(large, 'the book');
  expect(isSample).toBe(true);
  expect(any).toHaveLength(41);
});

test('of documents that are not ready nothing is found, however many of the agent are', async () => {
  await house.query(
    `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, language, created_at)
     select 'doc_more' || n, id, owner_id, 'a.txt', 'txt', 1, case n when 1 then 'ready' else 'processing' end, 'english', now()
     from generate_series(1, 3) n, agents where id = $1`,
    [small],
  );
  await house.query(
    `insert into chunks (id, document_id, agent_id, position, place, content, language)
     select 'chk_' || $1 || 100 + n || '00', 'doc_more' || n, $1, 1, '', 'A giraffe.', 'english' from generate_series(1, 3) n`,
    [small],
  );
  expect((await found(small, 'giraffe')).any).toEqual([101]);
});

test('nothing but stop words finds nothing', async () => {
  expect(await found(large, 'is it the')).toEqual({ any: [], all: [], isSample: false });
});

test.each([
  ['守塔人住在哪里？', [1]],
  ['渡轮', [2]],
  ['フェリーは何時に出ますか', [3]],
  ['등대', [4]],
  ['1921', [1, 4]],
  ['今天天气怎么样', []],
  ['塔', []],
])('what is written without spaces is found by any of its words: %s', async (question, chunks) => {
  expect((await found(unspaced, question)).any.toSorted()).toEqual(chunks);
});
