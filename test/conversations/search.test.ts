import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteConversation, renameConversation } from '../../src/conversations/conversations.ts';
import { highlight, highlightPatterns } from '../../src/conversations/search-highlight.ts';
import { parseSearchQuery, toTsquery } from '../../src/conversations/search-query.ts';
import { tokensOf } from '../../src/conversations/search-text.ts';
import { type SearchPage, searchConversations } from '../../src/conversations/search.ts';
import type { UserActor } from '../../src/core/actor.ts';
import { newId } from '../../src/core/ids.ts';
import { createTestDatabase } from '../support/database.ts';
import { createHouse, type House } from '../support/house.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let house: House;

beforeAll(async () => {
  database = await createTestDatabase();
  house = await createHouse({ url: database.url });
});

afterAll(async () => {
  await house?.close();
  await database?.drop();
});

/** Somebody with an agent of his own. */
async function createPerson(userId = newId('user')) {
  const agentId = newId('agent');
  await house.query(
    `insert into users (id, email, username, password_hash, created_at, updated_at) values ($1, $1 || '@example.com', $1, '', now(), now())`,
    [userId],
  );
  await house.query(
    `insert into agents (id, owner_id, name, instructions, model, created_at, updated_at) values ($1, $2, 'A', 'B', 'default', now(), now())`,
    [agentId, userId],
  );
  const actor: UserActor = {
    kind: 'user',
    userId,
    plan: 'free',
    scopes: [],
    sessionId: null,
    apiKeyId: null,
    ip: null,
  };
  const ctx = () => ({ ...house.newCtx(), actor });
  let minute = 0;

  /** A conversation with these messages, each a minute newer than all before. */
  async function converse(messages: readonly string[], title: string | null = null): Promise<string> {
    const id = newId('conversation');
    await house.query(
      `insert into conversations (id, user_id, agent_id, title, created_at, updated_at) values ($1, $2, $3, $4, now(), now())`,
      [id, userId, agentId, title],
    );
    for (const [position, content] of messages.entries())
      await house.query(
        `insert into messages (id, conversation_id, user_id, position, role, content, created_at) values ($1, $2, $3, $4, 'user', $5, $6)`,
        [newId('message'), id, userId, position, content, new Date(Date.UTC(2026, 0, 1, 0, minute++))],
      );
    return id;
  }

  const search = (q: string, limit?: number): Promise<SearchPage> => searchConversations(ctx(), { q, limit });
  const find = async (q: string): Promise<string[]> => (await search(q)).data.map(({ message }) => message.content);
  return { userId, ctx, converse, search, find };
}

const only = (page: SearchPage) => {
  expect(page.data).toHaveLength(1);
  return page.data[0] as SearchPage['data'][number];
};

describe('what is found', () => {
  it.each([
    ['a word in any case', 'FOX', 'the quick fox'],
    ['an inflected form by its stem', 'running', 'she runs every day'],
    ['a stem by an inflected form', 'study', 'two studies'],
    ['a word by its beginning', 'organiza', 'our organizations'],
    ['a word with accents by one without', 'cafe resume', 'my Résumé from the Café'],
    ['a word without accents by one with', 'Ünïcode', 'unicode'],
    ['decomposed accents', 'élan', 'E\u0301LAN'],
    ['letters that have no accent to lose', 'strasse soren lodz', 'Straße, Søren, Łódź'],
    ['words of other alphabets', 'россия ελλαδα', 'Россия и Ελλάδα'],
    ['Russian by the beginning of a word', 'верси', 'новая версия'],
    ['a substring of Chinese', '喜欢', '我很喜欢学习中文'],
    ['a longer substring of Chinese', '欢学习', '我很喜欢学习中文'],
    ['one Chinese character', '很', '我很喜欢学习中文'],
    ['the last character of a run', '文', '我很喜欢学习中文。'],
    ['a substring of Japanese', '天気', '東京の天気は晴れです'],
    ['half-width kana by full-width', 'ガンダム', 'ｶﾞﾝﾀﾞﾑ'],
    ['a substring of Korean', '하세', '안녕하세요'],
    ['Korean in decomposed form', '하세', '안녕하세요'.normalize('NFD')],
    ['Chinese next to Latin letters', '手机', 'my iPhone手机壳'],
    ['Latin letters next to Chinese', 'iphone', '我的iPhone手机壳'],
    ['a substring of Thai', 'ภาษา', 'ฉันเรียนภาษาไทย'],
    ['a picture', '🎉', 'done 🎉🎉'],
    ['words joined by punctuation', 'and', 'his/her and/or'],
    ['the parts of an address', 'example', 'see https://www.example.com/a?b=c'],
    ['words inside tags', 'important', '<important>'],
    ['numbers', '42', 'answer: 42'],
    ['a common word when it is all there is', 'the', 'the who'],
    ['a question despite its common words', 'what is the weather', 'weather forecast'],
    ['a name with an apostrophe', "o'neil", "shaquille O'Neil"],
    ['words across punctuation as written', 'e-mail', 'by E-Mail only'],
  ])('finds %s', async (_, q, content) => {
    const person = await createPerson();
    await person.converse([content, 'nothing like it at all — 别的 違う 무관 другое']);
    const page = await person.search(q);
    expect(only(page).message.content).toBe(content);
    expect(only(page).highlight).toContain('<mark>');
    expect(page).toMatchObject({ total: 1, hasMore: false });
  });

  it.each([
    ['characters that are not side by side', '喜学', '我很喜欢学习中文'],
    ['a chain that is broken', '我很学习', '我很喜欢学习中文'],
    ['characters parted by punctuation', '喜欢', '喜,欢'],
    ['the middle of a word', 'ganiz', 'organization'],
    ['half of the words', 'fox cat', 'the quick fox'],
  ])('does not find %s', async (_, q, content) => {
    const person = await createPerson();
    await person.converse([content]);
    expect(await person.search(q)).toEqual({ data: [], total: 0, hasMore: false });
  });

  it('finds quoted words only side by side and as written', async () => {
    const person = await createPerson();
    await person.converse(['a quick brown fox', 'a brown quick fox', 'quick browns']);
    expect(await person.find('"quick brown"')).toEqual(['a quick brown fox']);
    expect(await person.find('"quick brown" fox')).toEqual(['a quick brown fox']);
    expect(await person.find('"quick brown')).toEqual(['a quick brown fox']);
  });

  it('leaves out what is excluded, by word and by phrase, but not longer words', async () => {
    const person = await createPerson();
    await person.converse(['red apple', 'red apples', 'green apple pie', 'applet in red']);
    expect(await person.find('red -apple')).toEqual(['applet in red']);
    expect(await person.find('apple -"apple pie" -applet')).toEqual(['red apple', 'red apples']);
    expect(await person.find('-apple')).toEqual([]);
  });

  it('takes `or` between alternatives', async () => {
    const person = await createPerson();
    await person.converse(['about cats', 'about dogs', 'about fish']);
    expect((await person.find('cat OR dog')).toSorted()).toEqual(['about cats', 'about dogs']);
  });

  it('finds what stands at the end of the longest message, behind the longest word', async () => {
    const person = await createPerson();
    const long = `${'x'.repeat(20_000)} ${'我们'.repeat(5_990)} needle 学习中文`;
    await person.converse([long]);
    for (const q of ['needle', '学习中文', '"needle 学习"', 'x'.repeat(900)]) {
      const { highlight: html } = only(await person.search(q));
      expect(html).toMatch(/^[^<]*<mark>/);
      expect(html.length).toBeLessThan(300);
    }
  });
});

describe('order and pages', () => {
  it('puts the best first, then the newest', async () => {
    const person = await createPerson();
    await person.converse(['some tea', 'of green tea', 'some tea']);
    await person.converse(['tea with a lot of other words around it that count for nothing']);
    const { data } = await person.search('tea');
    expect(data.map(({ message }) => message.content)).toEqual([
      'some tea',
      'some tea',
      'of green tea',
      'tea with a lot of other words around it that count for nothing',
    ]);
    expect(data[0]?.message.createdAt.getTime()).toBeGreaterThan(data[1]?.message.createdAt.getTime() ?? 0);
  });

  it('answers with at most `limit` and counts all', async () => {
    const person = await createPerson();
    await person.converse(Array.from({ length: 25 }, (_, i) => `apple ${i}`));
    expect(await person.search('apple', 3)).toMatchObject({ total: 25, hasMore: true, data: { length: 3 } });
    expect(await person.search('apple')).toMatchObject({ total: 25, hasMore: true, data: { length: 20 } });
    expect(await person.search('apple', 25)).toMatchObject({ total: 25, hasMore: false, data: { length: 25 } });
  });

  it('counts no further than 10,000 messages, and answers with the newest of those that match alike', async () => {
    const person = await createPerson();
    const id = await person.converse([]);
    await house.query(
      `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
      select 'msg_' || gen_random_uuid(), $1, $2, n, 'user', 'plums', timestamptz '2026-01-01' + n * interval '1 second'
      from generate_series(1, 10100) n`,
      [id, person.userId],
    );
    const page = await person.search('plum', 5);
    expect(page).toMatchObject({ total: 10_000, hasMore: true });
    expect(page.data.map(({ message }) => message.position)).toEqual([10_100, 10_099, 10_098, 10_097, 10_096]);
  });

  it.each([0, 101, 1.5, '5'])('refuses the limit %j', async (limit) => {
    const person = await createPerson();
    await expect(searchConversations(person.ctx(), { q: 'a', limit })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('titles', () => {
  it('answers a hit in a title with the newest message of that conversation', async () => {
    const person = await createPerson();
    const id = await person.converse(['first', 'last'], 'Holiday <plans> in Kraków');
    const page = await person.search('krakow holidays');
    expect(only(page)).toMatchObject({
      message: { content: 'last' },
      conversation: { id, title: 'Holiday <plans> in Kraków' },
      highlight: '<mark>Holiday</mark> &lt;plans&gt; in <mark>Kraków</mark>',
    });
    expect(page.total).toBe(1);
  });

  it('counts a message once that matches itself and by its title', async () => {
    const person = await createPerson();
    await person.converse(['about birds', 'more birds'], 'birds');
    const page = await person.search('birds');
    expect(page).toMatchObject({ total: 2, hasMore: false });
    expect(page.data.map((result) => [result.message.content, result.highlight])).toEqual([
      ['more birds', 'more <mark>birds</mark>'],
      ['about birds', 'about <mark>birds</mark>'],
    ]);
  });

  it('knows the title as it is now', async () => {
    const person = await createPerson();
    const id = await person.converse(['text']);
    await renameConversation(person.ctx(), id, { title: 'gardening' });
    expect(await person.find('gardens')).toEqual(['text']);
    await renameConversation(person.ctx(), id, { title: 'cooking' });
    expect(await person.find('gardening')).toEqual([]);
    expect(await person.find('cook')).toEqual(['text']);
  });

  it('leaves out a conversation that has no message yet', async () => {
    const person = await createPerson();
    await person.converse([], 'empty');
    expect(await person.search('empty')).toMatchObject({ data: [], total: 0 });
  });
});

describe('whose it is', () => {
  it('neither finds nor counts what others wrote, not even by ids that end alike', async () => {
    const me = await createPerson();
    const other = await createPerson(`usr_00000000-0000-7000-8000-000000${me.userId.slice(-6)}`);
    await other.converse(['secret plans', 'more secrets'], 'secret');
    await me.converse(['my secret']);
    expect(await me.search('secret')).toMatchObject({ total: 1, data: [{ message: { content: 'my secret' } }] });
    expect(await other.search('secret')).toMatchObject({ total: 2 });
  });

  it('forgets a deleted conversation', async () => {
    const person = await createPerson();
    const id = await person.converse(['ephemeral'], 'transient');
    expect(await person.search('ephemeral')).toMatchObject({ total: 1 });
    await deleteConversation(person.ctx(), id);
    expect(await person.search('ephemeral')).toMatchObject({ total: 0, data: [] });
    expect(await person.search('transient')).toMatchObject({ total: 0, data: [] });
  });
});

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

  it.each(bombs)('answers %j soon, and never with an error', async (q) => {
    const person = await createPerson();
    await person.converse([`a'b "c" & | ! ${q.slice(0, 50)}`]);
    const startedAt = performance.now();
    const page = await person.search(q);
    expect(performance.now() - startedAt).toBeLessThan(500);
    expect(page.data.length).toBe(page.total);
  });

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
    const person = await createPerson();
    await expect(searchConversations(person.ctx(), { q })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('highlights', () => {
  it.each([
    ['<img src=x onerror=alert(1)> cat', '&lt;img src=x onerror=alert(1)&gt; <mark>cat</mark>'],
    ['<mark>cat</mark>', '&lt;mark&gt;<mark>cat</mark>&lt;/mark&gt;'],
    ['<cat>', '&lt;<mark>cat</mark>&gt;'],
    ['<scr<cat>ipt>', '&lt;scr&lt;<mark>cat</mark>&gt;ipt&gt;'],
    [`"cat' onx='&lt;`, `&quot;<mark>cat</mark>&#39; onx=&#39;&amp;lt;`],
    ['<svg/onload=cat>', '&lt;svg/onload=<mark>cat</mark>&gt;'],
  ])('escapes %j', async (content, html) => {
    const person = await createPerson();
    await person.converse([content]);
    expect(only(await person.search('cat')).highlight).toBe(html);
  });

  it('escapes what the query itself brings', async () => {
    const person = await createPerson();
    await person.converse(['say <script> & "go"']);
    expect(only(await person.search('<script> & "go"')).highlight).toBe(
      'say &lt;<mark>script</mark>&gt; &amp; &quot;<mark>go</mark>&quot;',
    );
  });

  it.each([
    ['running', 'He runs, ran and was running', 'He <mark>runs</mark>, ran and was <mark>running</mark>'],
    ['cafe', 'CAFE\u0301s Café', '<mark>CAFE\u0301s</mark> <mark>Café</mark>'],
    ['喜欢学', '我喜欢学习喜欢', '我<mark>喜欢学</mark>习喜欢'],
    ['"big cat"', 'a cat, a big cat', 'a cat, a <mark>big</mark> <mark>cat</mark>'],
    ['the cat', 'the cat', 'the <mark>cat</mark>'],
    ['org', 'organization', '<mark>organization</mark>'],
  ])('marks %j in %j', async (q, content, html) => {
    const person = await createPerson();
    await person.converse([content]);
    expect(only(await person.search(q)).highlight).toBe(html);
  });

  const texts = fc.string({
    unit: fc.constantFrom(
      ...Array.from(`ab<>&"'/ .-éÉ学习가😀`),
      'cat',
      'e\u0301',
      '<mark>',
      '&amp;',
      '</mark>',
      'ﷺ',
      '½',
      'ｶﾞ',
    ),
    maxLength: 200,
  });

  it('are well-formed and spell a piece of the text, whatever is searched', () => {
    fc.assert(
      fc.property(texts, texts, (text, q) => {
        const html = highlight(text, highlightPatterns(parseSearchQuery(q), new Map()), []);
        const plain = html.replace(/<mark>([^<>]+)<\/mark>/g, '$1');
        expect(plain).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
        const spelled = plain
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&');
        expect(text.includes(spelled)).toBe(true);
        expect(spelled.isWellFormed()).toBe(text.isWellFormed());
      }),
      { numRuns: 500 },
    );
  });
});

describe('the index', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom(...Array.from(`aB9 -'".ßÉςΣ学习、か゛ー가ไทย🎉½①`), 'e\u0301', 'ガ', 'ｶﾞ'),
      minLength: 1,
      maxLength: 60,
    }),
  );

  it('splits and folds text as the query does, so that every word of a message finds it', async () => {
    const samples = fc
      .sample(anything, { numRuns: 1_500, seed: 1 })
      .filter((text) => text.isWellFormed() && !text.includes('\0'))
      .map((text) => {
        const words = [...tokensOf(text)];
        return {
          text,
          tokens: words.length,
          query: words.map(({ word }) => toTsquery(parseSearchQuery(`"${word}"`), new Map(), 'usr_abcdef')).join(' & '),
        };
      });
    const rows = await house.query<{ found: boolean; positions: number }>(
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
