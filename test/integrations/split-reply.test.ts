import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitReply } from '../../src/integrations/replies/split-reply.ts';

const fences = (part: string) => part.split('\n').filter((line) => /^ {0,3}(```|~~~)/.test(line)).length;

describe('splitReply', () => {
  test('returns a text that fits unchanged', () => {
    expect(splitReply('  One.\n\nTwo.  ', 100)).toEqual(['One.\n\nTwo.']);
    expect(splitReply(' \n ', 100)).toEqual([]);
  });

  test('prefers boundaries of paragraphs', () => {
    expect(splitReply(`${'a '.repeat(30)}\nb\n\n${'c '.repeat(30)}`, 80)).toEqual([
      `${'a '.repeat(30)}\nb`,
      'c '.repeat(30).trim(),
    ]);
  });

  test('then lines, then sentences, then words', () => {
    expect(splitReply('first line\nsecond line', 15)).toEqual(['first line', 'second line']);
    expect(splitReply('One two. Three four.', 14)).toEqual(['One two.', 'Three four.']);
    expect(splitReply('wordone wordtwo', 10)).toEqual(['wordone', 'wordtwo']);
  });

  test('closes a code fence and reopens it with its language', () => {
    const code = Array.from({ length: 10 }, (_, i) => `line ${i}`).join('\n');
    const parts = splitReply(`Look:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nDone.`, 60);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(fences(part) % 2).toBe(0);
    expect(parts[1]).toMatch(/^```ts\nline/);
    expect(parts.join('\n').match(/line \d/g)).toHaveLength(10);
  });

  test('keeps every word in order within the limit, and cuts no character', () => {
    const piece = fc.oneof(
      fc.lorem({ maxCount: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom('```', '```js', '~~~', '\n', '\n\n', '    ', '😀'.repeat(60)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 100, max: 300 }), (pieces, limit) => {
        const text = pieces.join('\n').toWellFormed();
        const parts = splitReply(text, limit);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(limit);
          expect(part.trim()).not.toBe('');
          expect(part.isWellFormed()).toBe(true);
        }
        const letters = (of: string) => of.replace(/^ {0,3}(`{3,}|~{3,}).*$/gm, '').replace(/\s/g, '');
        expect(letters(parts.join('\n'))).toBe(letters(text));
      }),
      { numRuns: 300 },
    );
  });
});
