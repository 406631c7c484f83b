import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toParts } from '../../src/integrations/replies/markup.ts';
import type { PlatformKind } from '../../src/integrations/platforms.ports.ts';
import { limitsTime } from '../support/wall-clock.ts';

const toMarkup = (platform: PlatformKind, markdown: string) => toParts(platform, markdown).join('\n---\n');
const fence = '```';
const gap = '\u200b';

// [Markdown, Discord, Telegram, Slack]
test.each([
  [
    '**bold** and *italic* and _low_ and __under__',
    '**bold** and *italic* and *low* and **under**',
    '<b>bold</b> and <i>italic</i> and <i>low</i> and <b>under</b>',
    '*bold* and _italic_ and _low_ and *under*',
  ],
  ['**all *of* it**', '**all *of* it**', '<b>all <i>of</i> it</b>', '*all _of_ it*'],
  ['`a < b` & <b>', '`a < b` & <b>', '<code>a &lt; b</code> &amp; &lt;b&gt;', '`a &lt; b` &amp; &lt;b&gt;'],
  ['# Title\n- one\n* two', '# Title\n- one\n- two', '<b>Title</b>\n• one\n• two', '*Title*\n• one\n• two'],
  ['# **Title**', '# Title', '<b>Title</b>', '*Title*'],
  [
    '[site](https://example.com/?a=1&b=2)',
    '[site](https://example.com/?a=1&b=2)',
    '<a href="https://example.com/?a=1&amp;b=2">site</a>',
    '<https://example.com/?a=1&amp;b=2|site>',
  ],
  [
    '[Ada (1815)](https://example.com/Ada_(person))',
    '[Ada (1815)](https://example.com/Ada_%28person%29)',
    '<a href="https://example.com/Ada_(person)">Ada (1815)</a>',
    '<https://example.com/Ada_(person)|Ada (1815)>',
  ],
  [
    'https://example.com/_x_/a and <https://example.com/b>',
    'https://example.com/_x_/a and https://example.com/b',
    'https://example.com/_x_/a and https://example.com/b',
    '<https://example.com/_x_/a> and <https://example.com/b>',
  ],
  [
    '![a cat](https://example.com/cat.png)',
    '[a cat](https://example.com/cat.png)',
    '<a href="https://example.com/cat.png">a cat</a>',
    '<https://example.com/cat.png|a cat>',
  ],
  ['[x](javascript:alert(1))', '[x](javascript:alert(1))', '[x](javascript:alert(1))', '[x](javascript:alert(1))'],
  ['**bold\nover two lines**', '**bold\nover two lines**', '<b>bold\nover two lines</b>', '*bold*\n*over two lines*'],
  ['\\*not bold\\* and \\# none', '\\*not bold\\* and \\# none', '*not bold* and # none', '*not bold* and # none'],
  ['~~gone~~', '~~gone~~', '<s>gone</s>', '~gone~'],
  [
    '2 * 3 * 4 and snake_case_name',
    '2 * 3 * 4 and snake_case_name',
    '2 * 3 * 4 and snake_case_name',
    '2 * 3 * 4 and snake_case_name',
  ],
  ['a &amp; b &lt; c', 'a & b < c', 'a &amp; b &lt; c', 'a &amp; b &lt; c'],
  [
    `${fence}ts\nif (a < b) {}\n${fence}`,
    `${fence}ts\nif (a < b) {}\n${fence}`,
    '<pre><code class="language-ts">if (a &lt; b) {}</code></pre>',
    `${fence}\nif (a &lt; b) {}\n${fence}`,
  ],
  [
    `1. Write:\n\n    ${fence}py\n    def __init__(self):\n        pass\n    ${fence}\n\n2. Run`,
    `1. Write:\n\n${fence}py\ndef __init__(self):\n    pass\n${fence}\n2. Run`,
    '1. Write:\n\n<pre><code class="language-py">def __init__(self):\n    pass</code></pre>\n2. Run',
    `1. Write:\n\n${fence}\ndef __init__(self):\n    pass\n${fence}\n2. Run`,
  ],
  ['- [x] done\n- [ ] open', '- ☑ done\n- ☐ open', '• ☑ done\n• ☐ open', '• ☑ done\n• ☐ open'],
  ['- a\n  - b', '- a\n  - b', '• a\n  • b', '• a\n  • b'],
  [
    '> one\n> two\n\nafter',
    '> one\n> two\n\nafter',
    '<blockquote>one\ntwo</blockquote>\n\nafter',
    '> one\n> two\n\nafter',
  ],
  ['<!channel> <@U1>', '<!channel> <@U1>', '&lt;!channel&gt; &lt;@U1&gt;', '&lt;!channel&gt; &lt;@U1&gt;'],
  [
    '| a | b |\n| - | - |\n| **1** | 22 |',
    `${fence}\na | b\n--+---\n1 | 22\n${fence}`,
    '<pre>a | b\n--+---\n1 | 22</pre>',
    `${fence}\na | b\n--+---\n1 | 22\n${fence}`,
  ],
])('converts %j to the markup of each platform', (markdown, discord, telegram, slack) => {
  expect(toMarkup('chat_server', markdown)).toBe(discord);
  expect(toMarkup('chat_messenger', markdown)).toBe(telegram);
  expect(toMarkup('chat_workspace', markdown)).toBe(slack);
});

test.each([
  ['un**believ**able', `un${gap}*believ*${gap}able`],
  ['これは**太字**です', `これは${gap}*太字*${gap}です`],
  ['(**a**), **b**.', '(*a*), *b*.'],
  ['**a***b*', `*a*${gap}_b_`],
])('separates the marks of Slack from letters: %j', (markdown, slack) => {
  expect(toMarkup('chat_workspace', markdown)).toBe(slack);
});

/** Returns the tags that are open after a text, and fails when they are not well nested. */
function openTags(html: string): string[] {
  const open: string[] = [];
  for (const [, close, name = ''] of html.matchAll(/<(\/?)(\w+)[^>]*>/g)) {
    if (close) expect(open.pop()).toBe(name);
    else open.push(name);
  }
  return open;
}

describe('a divided reply', () => {
  test('is divided between paragraphs, then lines, sentences and words', () => {
    expect(toParts('chat_server', '  One.\n\nTwo.  ', 100)).toEqual(['One.\n\nTwo.']);
    expect(toParts('chat_server', ' \n ', 100)).toEqual([]);
    expect(toParts('chat_server', `${'a '.repeat(30)}\nb\n\n${'c '.repeat(30)}`, 80)).toEqual([
      `${'a '.repeat(30)}\nb`,
      'c '.repeat(30).trim(),
    ]);
    expect(toParts('chat_server', 'first line\nsecond line', 15)).toEqual(['first line', 'second line']);
    expect(toParts('chat_server', 'One two. Three four.', 14)).toEqual(['One two.', 'Three four.']);
    expect(toParts('chat_server', 'wordone wordtwo', 10)).toEqual(['wordone', 'wordtwo']);
  });

  test.each(['', '- ', '1. '])('opens a code block again with its language, also after %j', (bullet) => {
    const indent = ' '.repeat(bullet.length);
    const code = Array.from({ length: 20 }, (_, n) => `${indent}line ${n}`).join('\n');
    const markdown = `${bullet}Look:\n\n${indent}${fence}ts\n${code}\n${indent}${fence}\n\nDone.`;
    const parts = toParts('chat_server', markdown, 60);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect((part.match(/```/g) ?? []).length % 2).toBe(0);
    expect(parts[1]).toMatch(/^```ts\nline/);
    expect(parts.join('\n').match(/^line \d+$/gm)).toHaveLength(20);
  });

  test('opens a mark again and never divides a link', () => {
    expect(toParts('chat_messenger', '**one two three four**', 20)).toEqual(['<b>one two</b>', '<b>three four</b>']);
    const link = '[a long label](https://example.com/path)';
    expect(toParts('chat_server', `Some more words before ${link} and after`, 60)).toEqual([
      'Some more words before',
      `${link} and after`,
    ]);
  });

  test('keeps every word in order within the limit, cuts no character, and is well-formed', () => {
    const piece = fc.oneof(
      fc.lorem({ maxCount: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom(
        '**',
        '*',
        '_',
        '~~',
        '`',
        '```',
        '```js',
        '~~~',
        '\n',
        '\n\n',
        '    ',
        '- ',
        '> ',
        '# ',
        '<',
        '&',
        '😀'.repeat(60),
        '[a](https://x.y)',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 150, max: 300 }), (pieces, limit) => {
        const text = pieces.join('').toWellFormed();
        for (const platform of ['chat_server', 'chat_messenger', 'chat_workspace'] as const) {
          for (const part of toParts(platform, text, limit)) {
            expect(part.length).toBeLessThanOrEqual(limit);
            expect(part.trim()).not.toBe('');
            expect(part.isWellFormed()).toBe(true);
            if (platform === 'chat_messenger') expect(openTags(part)).toEqual([]);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('loses no word', () => {
    const words = Array.from({ length: 3_000 }, (_, n) => `word${n}`);
    const markdown = words
      .map((word, n) => (n % 7 === 0 ? `**${word}**` : word) + (n % 50 === 0 ? '\n\n- ' : ' '))
      .join('');
    for (const platform of ['chat_server', 'chat_messenger', 'chat_workspace'] as const)
      expect(
        toParts(platform, markdown)
          .join(' ')
          .match(/word\d+/g),
      ).toEqual(words);
  });
});

test('converts text made for backtracking in bounded time', limitsTime, () => {
  for (const unit of ['>', '# ', '~', '```', '[', '**a *b ', '_a', '[a](', '\\[\n', '- ', 'a\n\n', '| ', '<a ']) {
    const { user } = process.cpuUsage();
    for (const platform of ['chat_server', 'chat_messenger', 'chat_workspace'] as const)
      toParts(platform, unit.repeat(32_000 / unit.length));
    expect([unit, process.cpuUsage({ user, system: 0 }).user / 1_000 < 2_000]).toEqual([unit, true]);
  }
});
