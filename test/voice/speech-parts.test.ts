import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitIntoParts } from '../../src/voice/speech-parts.ts';

describe('splitIntoParts', () => {
  test.each([
    ['lower-case sentences', 'the tide comes in. it goes out again! does it? yes… it does. '],
    ['sentences in quotes', 'she said "it comes in." he said (it goes out.) they agreed. '],
    ['Chinese sentences', '潮水涨了。潮水退了！是吗？是的。'],
  ])('splits %s at their ends', (_name, text) => {
    const parts = splitIntoParts(text.repeat(20), 200);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(part).toMatch(/[.!?…。！？][")]?$/);
  });

  test('splits a sentence that is too long between words', () => {
    const parts = splitIntoParts('word '.repeat(100), 50);
    expect(parts).toEqual(Array.from({ length: 10 }, () => 'word '.repeat(10).trim()));
  });

  test('keeps every visible character in order, and every part within the limit', () => {
    const alphabet = fc.constantFrom('a', 'É', ' ', '.', '!', '"', '。', '字', '…', '\n', '👍🏽');
    fc.assert(
      fc.property(fc.string({ unit: alphabet, maxLength: 400 }), (text) => {
        const parts = splitIntoParts(text, 30);
        expect(parts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        for (const part of parts) expect([...part].length).toBeLessThanOrEqual(30);
        expect(parts.every((part) => part.trim() !== '')).toBe(true);
      }),
    );
  });
});
