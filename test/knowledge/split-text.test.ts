import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkDocument } from '../../src/knowledge/processing/chunk-document.ts';
import { languageOf } from '../../src/knowledge/processing/document-language.ts';
import { markdownText } from '../../src/knowledge/extract/markdown.ts';
import { createJsonSyntax } from '../../src/knowledge/processing/json-syntax.ts';
import { splitText } from '../../src/knowledge/processing/split-text.ts';
import { createMarkReader } from '../../src/knowledge/retrieval/citations.ts';
import { limitsTime } from '../support/wall-clock.ts';

const size = { tokens: 40, overlapTokens: 8 };
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3_000 }),
  fc
    .array(fc.constantFrom('word', ' ', '. ', '\n', '\n\n', '# ', 'ß', '漢', '😀', 'x'.repeat(300)), { maxLength: 400 })
    .map((parts) => parts.join('')),
);

describe('splitText', () => {
  test('returns pieces that are the text, apart from their overlaps', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const chunks = [...splitText(text, size)];
        expect(chunks.map(({ start, end, overlap }) => text.slice(start + overlap, end)).join('')).toBe(text);
        for (const { start, end, overlap } of chunks) {
          expect(end - start).toBeGreaterThan(overlap);
          expect(end - start).toBeLessThanOrEqual(4 * size.tokens + 1);
        }
      }),
    );
  });

  test('never cuts inside a character', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        if (!text.isWellFormed()) return;
        for (const { start, end } of splitText(text, size)) expect(text.slice(start, end).isWellFormed()).toBe(true);
      }),
    );
  });

  test('cuts before headings rather than inside a paragraph, and chunks have their location', () => {
    const section = (title: string) => `# ${title}\n\n${`About ${title} there is much to say. `.repeat(3)}\n`;
    const chunks = [
      ...chunkDocument(
        markdownText(section('Oil') + section('Gas') + section('Coal'), { encoding: 'utf-8', pages: null, notes: [] }),
        size,
      ),
    ];
    expect(chunks.map(({ place }) => place)).toEqual(['Oil', 'Gas', 'Coal']);
    expect(chunks.map(({ content }) => content.split('\n')[0])).toEqual(['# Oil', '# Gas', '# Coal']);
  });

  test('takes linear time, also for a single word', limitsTime, () => {
    const from = performance.now();
    for (const _chunk of splitText('x'.repeat(5_000_000), { tokens: 400, overlapTokens: 50 }));
    expect(performance.now() - from).toBeLessThan(3_000);
  });
});

test('a language is detected by its most common words', () => {
  expect(languageOf('The ship is in the harbour and the captain is on the bridge.')).toBe('english');
  expect(languageOf('Das Schiff liegt im Hafen und der Kapitän ist auf der Brücke.')).toBe('german');
  expect(languageOf('x = 1; y = 2; foo(bar)')).toBe('simple');
});

test('the JSON check agrees with the parser, however the bytes are chunked', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', '1', '\\', '\n', '-', '.'))
    .map(([json, at, text]) => json.slice(0, at % (json.length + 1)) + text + json.slice((at % (json.length + 1)) + 1));
  const parses = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(fc.oneof(fc.json(), broken), fc.integer({ min: 1, max: 9 }), (text, step) => {
      const syntax = createJsonSyntax();
      const bytes = Buffer.from(text);
      for (let i = 0; i < bytes.length; i += step) syntax.write(bytes.subarray(i, i + step));
      expect(syntax.end()).toBe(parses(text));
    }),
    { numRuns: 1_000 },
  );
});

test('removes source marks from a reply, however it is chunked, and nothing else', () => {
  const reply = 'Parcels take nine days 【1】. Refunds take five 【2, 3】 and a[1] stays. 【not a mark】';
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 40, maxLength: 90 }), (steps) => {
      const marks = createMarkReader();
      let shown = '';
      let at = 0;
      for (const step of steps) {
        shown += marks.write(reply.slice(at, at + step));
        at += step;
      }
      shown += marks.write(reply.slice(at)) + marks.end();
      expect(shown).toBe('Parcels take nine days. Refunds take five and a[1] stays. 【not a mark】');
      expect(Array.from(marks.offsets, ([number, [place]]) => [number, shown.slice(0, place)])).toEqual([
        [1, 'Parcels take nine days'],
        [2, 'Parcels take nine days. Refunds take five'],
        [3, 'Parcels take nine days. Refunds take five'],
      ]);
    }),
  );
});
