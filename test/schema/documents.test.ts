import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { documentReader } from '../../schema/documents.ts';

const schema = buildSchema('type Query { a: String } type Subscription { b: String }');

/** A reader that counts the documents it validates. */
function countingReader() {
  let validated = 0;
  const read = documentReader(schema, [
    () => {
      validated++;
      return {};
    },
  ]);
  return { read, validated: () => validated };
}

test('validates a document once, whether it is valid or not', async () => {
  const { read, validated } = countingReader();
  const invalid = await read('subscription { nothing }');
  expect(invalid).toMatchObject([{ message: 'Cannot query field "nothing" on type "Subscription".' }]);
  expect(await read('subscription { nothing }')).toBe(invalid);
  const valid = await read('subscription { b }');
  expect(await read('subscription { b }')).toBe(valid);
  expect(validated()).toBe(2);
});

test('keeps the documents used last, so that a flood of others does not displace one in use', async () => {
  const { read, validated } = countingReader();
  const used = await read('subscription { b }');
  for (let n = 0; n < 1_200; n++) {
    await read(`subscription Flood${n} { b }`);
    if (n % 100 === 0) expect(await read('subscription { b }')).toBe(used);
  }
  expect(validated()).toBe(1_201);
});

test('reads one document in a turn of the event loop', async () => {
  const { read, validated } = countingReader();
  const all = Promise.all(Array.from({ length: 50 }, (_, n) => read(`subscription Turn${n} { b }`)));
  const seen: number[] = [];
  while (validated() < 50) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(validated());
  }
  await all;
  expect(Math.max(...seen.map((count, n) => count - (seen[n - 1] ?? 0)))).toBe(1);
});

test('stops after 20 errors, and suggests no names of the schema', async () => {
  const { read } = countingReader();
  const errors = await read(`subscription { ${Array.from({ length: 500 }, (_, n) => `bb${n}`).join(' ')} }`);
  expect(errors).toHaveLength(21);
  expect(JSON.stringify(errors)).not.toContain('Did you mean');
});
