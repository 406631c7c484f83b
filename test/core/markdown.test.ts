import fc from 'fast-check';
import type { Token } from 'marked';
import { describe, expect, test } from 'vitest';
import { createMarkdownParser, parseMarkdown } from '../../src/core/markdown/parse-markdown.ts';
import { limitsTime } from '../support/wall-clock.ts';

const parser = createMarkdownParser();
const typesOf = (text: string): string[] => parseMarkdown(text).map(({ type }) => type);
const length = 32_000;
const repeated = (unit: string) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Texts that make a parser read the same characters again for each mark, line or level. */
const bombs = [
  '>',
  '> ',
  '- ',
  '\\[\n',
  '\\(a ',
  '**a *b ',
  '*a _b ',
  '[',
  '![',
  '[a](',
  '[a]: b (',
  '`a ``b ',
  '~~a ~b ',
  '<a b="',
  '<!--',
  '-|-\n',
  '=\n',
  '---\n',
  '-\n',
  '1. a\nb\n',
  '>\n\t``@',
  "'.@",
  'a@b.',
  'http://',
  '#\n',
  '$$\n',
  '[a]: b\n',
  '\n\n_',
];

describe('the Markdown parser', () => {
  test.each(bombs)('takes less than a second for 32,000 characters of %j', limitsTime, (unit) => {
    for (const text of [repeated(unit), `x${repeated(unit)}`, `> ${repeated(unit)}`, `- ${repeated(unit)}x`]) {
      const { user } = process.cpuUsage();
      parser.html(parser.parse(text));
      expect(process.cpuUsage({ user, system: 0 }).user / 1_000).toBeLessThan(1_000);
    }
  });

  test('nests neither quotes nor lists nor emphases without a bound', () => {
    const depthOf = (token: Token): number => {
      const children = [
        ...((token as { items?: Token[] }).items ?? []),
        ...((token as { tokens?: Token[] }).tokens ?? []),
      ];
      return 1 + Math.max(0, ...children.map(depthOf));
    };
    for (const text of ['>'.repeat(3_000), '- '.repeat(3_000), '*a **b '.repeat(60) + '** *'.repeat(60)]) {
      expect(Math.max(...parseMarkdown(text).map(depthOf))).toBeLessThan(40);
    }
  });

  test('does not produce much more than it reads', () => {
    const table = `${'|a'.repeat(5_000)}|\n${'|-'.repeat(5_000)}|\n${'|\n'.repeat(5_000)}`;
    const references = `[a]: https://example.com/${'x'.repeat(20_000)}\n\n${'[a]\n\n'.repeat(1_000)}`;
    for (const text of [table, references])
      expect(parser.html(parser.parse(text)).length).toBeLessThan(text.length * 20);
  });

  test('parses all of a long ordinary text', () => {
    const code = Array.from({ length: 80 }, (_, n) => `  - key${n}: "a_b" # *note* [x](y) ${n}`).join('\n');
    const section = `## Part\n\nSome **bold** and \`code\` with [a link](https://example.com/a_b) and $x^2$, at 5 * 3.\n\n- one\n- two\n\n  more\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n\`\`\`yaml\n---\n${code}\n\`\`\`\n\n`;
    const tokens = typesOf(section.repeat(20));
    expect(section.repeat(20).length).toBeGreaterThan(50_000);
    for (const type of ['heading', 'list', 'table', 'code'])
      expect([type, tokens.filter((one) => one === type).length]).toEqual([type, 20]);
    expect(parser.html(parseMarkdown(section.repeat(20))).match(/<strong>/g)).toHaveLength(20);
  });

  test('keeps every character of a text that it does not parse', () => {
    fc.assert(
      fc.property(fc.constantFrom(...bombs), (unit) => {
        const text = repeated(unit).trim();
        const shown = (tokens: Token[]): string => tokens.map((token) => token.raw).join('');
        expect(shown(parseMarkdown(text)).length).toBeGreaterThanOrEqual(text.length - 1);
      }),
      { numRuns: bombs.length },
    );
  });

  test('recognizes formulas, and money as text', () => {
    expect(typesOf('Text\n\\[ x^2 \\]\n\nMore')).toContain('math-display');
    expect(parser.html(parseMarkdown('$x$ and \\(y\\), $5 and $6'))).toBe(
      '<p><code class="language-math">x</code> and <code class="language-math">y</code>, $5 and $6</p>\n',
    );
  });
});
