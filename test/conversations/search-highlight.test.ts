import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { highlight, highlightPatterns } from '../../src/conversations/search/search-highlight.ts';
import { parseSearchQuery } from '../../src/conversations/search/search-query.ts';
import type { Harness } from '../support/harness.ts';
import { openHarness } from '../support/open-harness.ts';
import { createPerson, only } from './search-fixture.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await openHarness();
});

afterAll(() => harness?.close());

describe('highlights', () => {
  it.each([
    ['<img src=x onerror=alert(1)> cat', '&lt;img src=x onerror=alert(1)&gt; <mark>cat</mark>'],
    ['<mark>cat</mark>', '&lt;mark&gt;<mark>cat</mark>&lt;/mark&gt;'],
    ['<cat>', '&lt;<mark>cat</mark>&gt;'],
    ['<scr<cat>ipt>', '&lt;scr&lt;<mark>cat</mark>&gt;ipt&gt;'],
    [`"cat' onx='&lt;`, `&quot;<mark>cat</mark>&#39; onx=&#39;&amp;lt;`],
    ['<svg/onload=cat>', '&lt;svg/onload=<mark>cat</mark>&gt;'],
  ])('escapes %j', async (content, html) => {
    const person = await createPerson(harness);
    await person.converse([content]);
    expect(only(await person.search('cat')).highlight).toBe(html);
  });

  it('escapes markup that is part of the query', async () => {
    const person = await createPerson(harness);
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
    const person = await createPerson(harness);
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

  it('are well-formed and contain a piece of the text, whatever is searched', () => {
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
