import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSearchQuery, toTsquery } from '../../src/conversations/search/search-query.ts';
import { searchConversations } from '../../src/conversations/search/search.ts';
import { tokensOf } from '../../src/conversations/search/search-text.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';
import { rareScripts } from '../support/rare-scripts.ts';
import { createPerson } from './search-fixture.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await openHarness();
});

afterAll(() => harness?.close());

describe('hostile queries', () => {
  const bombs = [
    `a & | ! :* ( '`,
    `'`,
    `\\`,
    `''''`,
    `:*`,
    `!!!`,
    `-`,
    `--`,
    `-"`,
    `"`,
    `""`,
    `or`,
    `or or or`,
    `the and of or`,
    `-the`,
    `' || pg_sleep(5) --`,
    `$1 $2 \${x}`,
    `<->`,
    `a <-> b <2> c`,
    `a:ABCD`,
    '%_%',
    '\u{1f600}',
    '\u200b\u200d\ufeff',
    '('.repeat(1_000),
    '"a'.repeat(300),
    '-a '.repeat(300),
    'ab '.repeat(330),
    '我'.repeat(1_000),
    'é'.repeat(1_000),
    '\ufdfa'.repeat(1_000),
    'e\u0301'.repeat(500),
  ];

  it.each(bombs)(
    'returns results for %j, never an error',
    async (q) => {
      const person = await createPerson(harness);
      await person.converse([`a'b "c" & | ! ${q.slice(0, 50)}`]);
      const page = await person.search(q);
      expect(page.data.length).toBe(page.total);
    },
    10_000,
  );

  it.each([
    ['an empty text', ''],
    ['blanks', '   '],
    ['10 kB', 'a '.repeat(5_000)],
    ['NUL', 'a\0b'],
    ['a broken surrogate', 'a\ud800'],
    ['no text', undefined],
    ['a number', 5],
    ['a list', ['a']],
  ])('refuses %s', async (_, q) => {
    const person = await createPerson(harness);
    await expect(searchConversations(person.ctx(), { q })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('the index', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom(
        ...Array.from(`aB9 -'".ßÉςΣ学习、か゛ー가ไทย🎉½①`),
        'e\u0301',
        'ガ',
        'ｶﾞ',
        '\u00ad',
        '\u200b',
        'מָ',
        'مُ',
        '\ufee3',
        'ى',
        '٣',
        '＠',
      ),
      minLength: 1,
      maxLength: 60,
    }),
  );

  it('tokenizes and normalizes text like the query, so that every word of a message finds it', async () => {
    const samples = fc
      .sample(anything, { numRuns: 1_500, seed: 1 })
      .filter((text) => text.isWellFormed() && !text.includes('\0') && !rareScripts.test(text))
      .map((text) => {
        const words = [...tokensOf(text)];
        return {
          text,
          tokens: words.length,
          query: words.map(({ word }) => toTsquery(parseSearchQuery(`"${word}"`), new Map(), 'usr_abcdef')).join(' & '),
        };
      });
    const rows = await harness.query<{ found: boolean; positions: number }>(
      `select s.query = '' or v.vector @@ s.query::tsquery as found,
        (select coalesce(sum(cardinality(u.positions)), 0)::int from unnest(v.vector) u) as positions
      from unnest($1::text[], $2::text[]) with ordinality as s (content, query, n),
        lateral (select search_words('usr_abcdef', s.content) as vector) v
      order by s.n`,
      [samples.map(({ text }) => text), samples.map(({ query }) => query)],
    );
    const different = samples.filter(({ tokens }, i) => !rows[i]?.found || rows[i]?.positions !== tokens);
    expect(different).toEqual([]);
  });
});
