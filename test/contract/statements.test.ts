import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** `name: 'x', text: …` of a prepared statement, as src/core/sql.ts has it. */
const statement = /\bname: '([^']+)',\s*text:/g;

test('a prepared statement has a name that no other one has', () => {
  const places = new Map<string, string[]>();
  for (const file of globSync(['src/**/*.ts', 'jobs/**/*.ts', 'schema/**/*.ts', 'rest/**/*.ts'])) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(statement))
      places.set(name, [...(places.get(name) ?? []), file]);
  }
  expect(places.size).toBeGreaterThan(200);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

test('a prepared statement has a name that PostgreSQL keeps whole', () => {
  const names = globSync('src/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(statement)].map(([, name = '']) => name),
  );
  expect(names.filter((name) => name.length > 63)).toEqual([]);
});
