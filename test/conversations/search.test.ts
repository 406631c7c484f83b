import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteConversation, updateConversation } from '../../src/conversations/conversations.ts';
import { searchConversations } from '../../src/conversations/search/search.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';
import { createPerson, only } from './search-fixture.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await openHarness();
});

afterAll(() => harness?.close());

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
    const person = await createPerson(harness);
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
    const person = await createPerson(harness);
    await person.converse([content]);
    expect(await person.search(q)).toMatchObject({ data: [], total: 0, hasMore: false });
  });

  it('finds quoted words only side by side and as written', async () => {
    const person = await createPerson(harness);
    await person.converse(['a quick brown fox', 'a brown quick fox', 'quick browns']);
    expect(await person.find('"quick brown"')).toEqual(['a quick brown fox']);
    expect(await person.find('"quick brown" fox')).toEqual(['a quick brown fox']);
    expect(await person.find('\u201cquick brown\u201d')).toEqual(['a quick brown fox']);
    expect(await person.find('"quick brown')).toEqual(['a quick brown fox']);
  });

  it.each([
    ['an identifier', 'call get_user_service now', 'get_user_service'],
    ['an address', 'see https://docs.example.com/guide', 'docs.example.com/guide'],
    ['an e-mail address', 'write to jane.doe@example.com', 'jane.doe@example.com'],
    ['a path', 'open src/core/normal-form.ts', 'src/core/normal-form.ts'],
  ])('finds %s at each letter', async (_, content, whole) => {
    const person = await createPerson(harness);
    await person.converse([content, 'other words']);
    for (let length = 2; length <= whole.length; length++)
      expect([whole.slice(0, length), await person.find(whole.slice(0, length))]).toEqual([
        whole.slice(0, length),
        [content],
      ]);
    const page = await person.search(whole.slice(0, -1));
    expect(only(page).highlight.replaceAll(/<\/?mark>/g, '')).toContain(whole);
    expect(only(page).highlight).toContain('<mark>');
  });

  it.each([
    ['Arabic without vowel signs', 'قال مُحَمَّدٌ شيئًا', 'محمد'],
    ['Arabic with vowel signs', 'قال محمد', 'مُحَمَّد'],
    ['other forms of alef and yeh', 'أحمد إلى المدرسة', 'احمد الي المدرسه'],
    ['presentation forms', 'x \ufee3\ufea4\ufee4\ufeaa y', 'محمد'],
    ['Hebrew without points', 'אמר שָׁלוֹם', 'שלום'],
    ['Arabic digits', 'غرفة ٤٢', '42'],
    ['words with soft hyphens', 'Donau\u00addampf\u00adschiff', 'donaudampfschiff'],
    ['words with zero-width spaces', 'user\u200bname', 'username'],
    ['full-width letters', 'ＡＢＣ１２３', 'abc123'],
    ['decomposed letters', 'Cafe\u0301', 'café'],
    ['ligatures', 'eﬃcient', 'efficient'],
  ])('finds %s', async (_, content, q) => {
    const person = await createPerson(harness);
    await person.converse([content]);
    const page = await person.search(q);
    expect(only(page).message.content).toBe(content);
    expect(only(page).highlight).toContain('<mark>');
  });

  it('finds quoted words as written, not by their stems', async () => {
    const person = await createPerson(harness);
    await person.converse(['they were running', 'a run']);
    expect(await person.find('"run"')).toEqual(['a run']);
    expect(await person.find('running')).toEqual(expect.arrayContaining(['a run', 'they were running']));
  });

  it('omits excluded words and phrases, but not longer words', async () => {
    const person = await createPerson(harness);
    await person.converse(['red apple', 'red apples', 'green apple pie', 'applet in red']);
    expect(await person.find('red -apple')).toEqual(['applet in red']);
    expect(await person.find('apple -"apple pie" -applet')).toEqual(['red apple', 'red apples']);
    expect(await person.find('-apple')).toEqual([]);
  });

  it('finds either alternative of an `or`', async () => {
    const person = await createPerson(harness);
    await person.converse(['about cats', 'about dogs', 'about fish']);
    expect((await person.find('cat OR dog')).toSorted()).toEqual(['about cats', 'about dogs']);
  });

  it('finds text at the end of the longest message, after the longest word', async () => {
    const person = await createPerson(harness);
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
  it('ranks by relevance, then by age', async () => {
    const person = await createPerson(harness);
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

  it('returns at most `limit` and counts all', async () => {
    const person = await createPerson(harness);
    await person.converse(Array.from({ length: 25 }, (_, i) => `apple ${i}`));
    expect(await person.search('apple', 3)).toMatchObject({ total: 25, hasMore: true, data: { length: 3 } });
    expect(await person.search('apple')).toMatchObject({ total: 25, hasMore: true, data: { length: 20 } });
    expect(await person.search('apple', 25)).toMatchObject({ total: 25, hasMore: false, data: { length: 25 } });
  });

  it('counts at most 1,000 messages, and returns the newest of equally relevant ones', async () => {
    const person = await createPerson(harness);
    const id = await person.converse([]);
    await harness.query(
      `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
      select 'msg_' || gen_random_uuid(), $1, $2, n, 'user', 'plums', timestamptz '2026-01-01' + n * interval '1 second'
      from generate_series(1, 1100) n`,
      [id, person.userId],
    );
    const page = await person.search('plum', 5);
    expect(page).toMatchObject({ total: 1_000, hasMore: true });
    expect(page.data.map(({ message }) => message.position)).toEqual([1_100, 1_099, 1_098, 1_097, 1_096]);
  });

  it.each([0, 101, 1.5, '5'])('refuses the limit %j', async (limit) => {
    const person = await createPerson(harness);
    await expect(searchConversations(person.ctx(), { q: 'a', limit })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('titles', () => {
  it('returns the newest message of a conversation whose title matches', async () => {
    const person = await createPerson(harness);
    const id = await person.converse(['first', 'last'], 'Holiday <plans> in Kraków');
    const page = await person.search('krakow holidays');
    expect(only(page)).toMatchObject({
      message: { content: 'last' },
      conversation: { id, title: 'Holiday <plans> in Kraków' },
      highlight: '<mark>Holiday</mark> &lt;plans&gt; in <mark>Kraków</mark>',
    });
    expect(page.total).toBe(1);
  });

  it('counts a message once that matches by its text and by its title', async () => {
    const person = await createPerson(harness);
    await person.converse(['about birds', 'more birds'], 'birds');
    const page = await person.search('birds');
    expect(page).toMatchObject({ total: 2, hasMore: false });
    expect(page.data.map((result) => [result.message.content, result.highlight])).toEqual([
      ['more birds', 'more <mark>birds</mark>'],
      ['about birds', 'about <mark>birds</mark>'],
    ]);
  });

  it('uses the current title', async () => {
    const person = await createPerson(harness);
    const id = await person.converse(['text']);
    await updateConversation(person.ctx(), id, { title: 'gardening' });
    expect(await person.find('gardens')).toEqual(['text']);
    await updateConversation(person.ctx(), id, { title: 'cooking' });
    expect(await person.find('gardening')).toEqual([]);
    expect(await person.find('cook')).toEqual(['text']);
  });

  it('omits a conversation without messages', async () => {
    const person = await createPerson(harness);
    await person.converse([], 'empty');
    expect(await person.search('empty')).toMatchObject({ data: [], total: 0 });
  });
});

describe('access to messages', () => {
  it('neither finds nor counts messages of others, not even with similar ids', async () => {
    const me = await createPerson(harness);
    const other = await createPerson(harness, `usr_00000000-0000-7000-8000-000000${me.userId.slice(-6)}`);
    await other.converse(['secret plans', 'more secrets'], 'secret');
    await me.converse(['my secret']);
    expect(await me.search('secret')).toMatchObject({ total: 1, data: [{ message: { content: 'my secret' } }] });
    expect(await other.search('secret')).toMatchObject({ total: 2 });
  });

  it('finds nothing of a deleted conversation', async () => {
    const person = await createPerson(harness);
    const id = await person.converse(['ephemeral'], 'transient');
    expect(await person.search('ephemeral')).toMatchObject({ total: 1 });
    await deleteConversation(person.ctx(), id);
    expect(await person.search('ephemeral')).toMatchObject({ total: 0, data: [] });
    expect(await person.search('transient')).toMatchObject({ total: 0, data: [] });
  });
});
