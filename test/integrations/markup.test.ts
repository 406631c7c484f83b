import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toMarkup } from '../../src/integrations/replies/markup.ts';
import { limitsTime } from '../support/wall-clock.ts';

test.each([
  ['**bold** and *italic* and _low_', '<b>bold</b> and <i>italic</i> and <i>low</i>', '*bold* and _italic_ and _low_'],
  ['**all *of* it**', '<b>all <i>of</i> it</b>', '*all _of_ it*'],
  ['`a < b` & <b>', '<code>a &lt; b</code> &amp; &lt;b&gt;', '`a &lt; b` &amp; &lt;b&gt;'],
  ['# Title\n- one\n* two', '<b>Title</b>\n• one\n• two', '*Title*\n• one\n• two'],
  [
    '[site](https://example.com/?a=1&b=2)',
    '<a href="https://example.com/?a=1&amp;b=2">site</a>',
    '<https://example.com/?a=1&amp;b=2|site>',
  ],
  ['[x](javascript:alert(1))', '[x](javascript:alert(1))', '[x](javascript:alert(1))'],
  ['~~gone~~', '<s>gone</s>', '~gone~'],
  ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
  [
    '```ts\nif (a < b) {}\n```',
    '<pre><code class="language-ts">if (a &lt; b) {}</code></pre>',
    '```\nif (a &lt; b) {}\n```',
  ],
  ['<!channel> <@U1>', '&lt;!channel&gt; &lt;@U1&gt;', '&lt;!channel&gt; &lt;@U1&gt;'],
])('converts %j to the markup of each platform', (markdown, html, mrkdwn) => {
  expect(toMarkup('chat_server', markdown)).toBe(markdown);
  expect(toMarkup('chat_messenger', markdown)).toBe(html);
  expect(toMarkup('chat_workspace', markdown)).toBe(mrkdwn);
});

test('produces well-formed HTML from any text', () => {
  const piece = fc.constantFrom(
    '**',
    '*',
    '_',
    '__',
    '~~',
    '`',
    '```',
    '\n',
    'word',
    ' ',
    '[a](https://x.y)',
    '<',
    '&',
    '#',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const open: string[] = [];
      for (const [, close, name = ''] of toMarkup('chat_messenger', pieces.join('')).matchAll(/<(\/?)(\w+)[^>]*>/g)) {
        if (close) expect(open.pop()).toBe(name);
        else open.push(name);
      }
      expect(open).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('converts text made for backtracking in linear time', limitsTime, () => {
  const bombs = [
    `# ${' '.repeat(4_000)}x`,
    '~'.repeat(4_000),
    `${'```'.repeat(1_300)}\nx`,
    `~~~\n${'~'.repeat(4_000)}\r`,
    '['.repeat(4_000),
    '**a '.repeat(1_000),
    '_a'.repeat(2_000),
    '[a]('.repeat(1_000),
  ];
  for (const bomb of bombs) {
    const startedAt = performance.now();
    toMarkup('chat_messenger', bomb);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  }
});
