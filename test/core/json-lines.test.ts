import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJsonLines } from '../../src/core/json-lines.ts';

test('returns the same values for any text and any division into chunks', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u2028', '\u2029', '\u0085', '\r', '\n', '\0', '灯'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(text)), fc.integer({ min: 1, max: 7 }), async (values, step) => {
      const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
      async function* chunks(): AsyncGenerator<Buffer> {
        for (let i = 0; i < bytes.length; i += step) yield bytes.subarray(i, i + step);
      }
      const read: unknown[] = [];
      for await (const value of readJsonLines(chunks())) read.push(value);
      expect(read).toEqual(values);
    }),
  );
});
