import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid } from '../../src/core/ids.ts';
import { normalForm } from '../../src/core/text/normal-form.ts';
import { questionOf } from '../../src/knowledge/retrieval/question.ts';
import { planTextSearch, searchText } from '../../src/knowledge/retrieval/text-search.ts';
import type { Harness } from '../support/harness.ts';
import { addAgentWithChunks } from '../support/knowledge-rows.ts';
import { openHarness } from '../support/open-harness.ts';

let harness: Harness;
const [large, small, unspaced] = [newUuid(), newUuid(), newUuid()];

/** Chunks whose ids end in 00 are the sample from which frequencies are estimated: forty of them represent ten thousand. */
const addChunks = (agentId: string, contents: readonly string[]): Promise<void> =>
  addAgentWithChunks(
    harness,
    agentId,
    Object.fromEntries(contents.map((content, i) => [`chk_${agentId}${i + 1}00`, content])),
  );

const books = Array.from({ length: 40 }, (_, i) => `Book of the harness, page ${i + 1}.`);

beforeAll(async () => {
  harness = await openHarness();
  await addChunks(large, [...books, 'A zebra.', 'The garden has a book and a house.', 'Garden shed.']);
  await addChunks(small, ['Book of the house.', 'A zebra.']);
  await addChunks(unspaced, [
    '灯塔建于1921年。守塔人住在旁边。',
    '轮船每天经过。渡轮早上八点开船。',
    'フェリーは朝八時に出ます。',
    '등대는 1921년에 지어졌다.',
  ]);
});
afterAll(() => harness.close());

const found = async (agentId: string, question: string) => {
  const ctx = harness.newCtx();
  const plan = await planTextSearch(ctx, agentId, questionOf(question));
  const ids = await searchText(ctx, plan, 100);
  const number = (id: string): number => Number(id.slice(`chk_${agentId}`.length, -2));
  return { any: ids.map(number), isSample: plan?.candidates === null };
};

test('ranks every chunk with any of the words for a small agent', async () => {
  expect(await found(small, 'Which zebra has a book?')).toEqual({ any: [2, 1], isSample: false });
});

test('a frequent word only ranks chunks that contain rarer words, and adds no others', async () => {
  expect(await found(large, 'Is there a book of the garden?')).toEqual({ any: [42, 43], isSample: false });
  expect((await found(large, 'zebra book')).any).toEqual([41]);
});

test('ranks a sample when every word is frequent, and marks it as one', async () => {
  const { any, isSample } = await found(large, 'the book');
  expect(isSample).toBe(true);
  expect(any).toHaveLength(41);
});

test('finds nothing in documents that are not ready, however many the agent has', async () => {
  await harness.query(
    `insert into documents (id, agent_id, owner_id, filename, format, size_bytes, status, language, created_at)
     select 'doc_more' || n, id, owner_id, 'a.txt', 'txt', 1, case n when 1 then 'ready' else 'processing' end, 'english', now()
     from generate_series(1, 3) n, agents where id = $1`,
    [small],
  );
  await harness.query(
    `insert into chunks (id, document_id, agent_id, position, place, content, language)
     select 'chk_' || $1 || 100 + n || '00', 'doc_more' || n, $1, 1, '', 'A giraffe.', 'english' from generate_series(1, 3) n`,
    [small],
  );
  expect((await found(small, 'giraffe')).any).toEqual([101]);
});

test('weighs a word by how few of the chunks contain it', async () => {
  const plan = async (agentId: string, question: string) => {
    const planned = await planTextSearch(harness.newCtx(), agentId, questionOf(question));
    return planned?.words.map(({ text, forms: [form = ''] }) => [text, planned.frequencies.get(form)?.rarity]);
  };
  const [book, page, zebra] = (await plan(large, 'book page zebra')) as [string, number][];
  expect(zebra![1]).toBeGreaterThan(page![1]);
  expect(Math.abs(page![1] - book![1])).toBeLessThan(0.1);
  expect(await plan(small, 'zebra unheard')).toMatchObject([
    ['unheard', expect.any(Number)],
    ['zebra', expect.any(Number)],
  ]);
});

test('finds nothing for stop words alone', async () => {
  expect(await found(large, 'is it the')).toEqual({ any: [], isSample: false });
});

test.each([
  ['守塔人住在哪里？', [1]],
  ['渡轮', [2]],
  ['フェリーは何時に出ますか', [3]],
  ['등대', [4]],
  ['1921', [1, 4]],
  ['今天天气怎么样', []],
  ['塔', []],
])('text without spaces is found by any of its words: %s', async (question, chunks) => {
  expect((await found(unspaced, question)).any.toSorted()).toEqual(chunks);
});

test('indexes every letter of Latin, Greek, Cyrillic, Hebrew, Arabic and Devanagari in its normal form', async () => {
  const letters = Array.from({ length: 0x980 }, (_, code) => String.fromCodePoint(code)).filter((letter) =>
    /(?=\p{L})[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Devanagari}]/u.test(letter),
  );
  const rows = await harness.newCtx().sql<{ letter: string; lexemes: string[] }>(
    {
      name: 'test_letters',
      text: `
        select letter, tsvector_to_array(search_vector('simple', 'ab' || letter || 'cd')) as lexemes
        from unnest($1::text[]) letter`,
    },
    [letters],
  );
  // PostgreSQL takes a few letters for signs between words.
  const words = rows.filter(({ lexemes }) => lexemes.length === 1);
  expect(words.length).toBeGreaterThan(letters.length - 10);
  expect(words.filter(({ letter, lexemes }) => lexemes[0] !== normalForm(`ab${letter}cd`))).toEqual([]);
});
