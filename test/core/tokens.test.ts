import fc from 'fast-check';
import { countTokens as countExactly } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { countTokens, tokenUpperBound } from '../../src/core/tokens.ts';

test('prose is counted as the provider counts it, whatever its length', () => {
  const prose = 'The quick brown fox, number 42, jumps over the lazy dog; then it sleeps.\n'.repeat(200);
  expect(Math.abs(countTokens(prose) / countExactly(prose) - 1)).toBeLessThan(0.01);
});

test('names of special tokens are text', () => {
  expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
});

test('no text has more tokens than the upper bound', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'binary' }),
        fc.nat(2_000).map((n) => '🧑‍🚀'.repeat(n)),
      ),
      (text) => {
        expect(countTokens(text)).toBeLessThanOrEqual(tokenUpperBound(text));
      },
    ),
  );
});

test('one word of a million letters is counted in well under a second', () => {
  const start = performance.now();
  expect(countTokens('a'.repeat(1_000_000))).toBeGreaterThan(100_000);
  expect(performance.now() - start).toBeLessThan(2_000);
});
