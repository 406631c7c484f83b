import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rows } from '../faults/rows.ts';

const scenarios = rows.flatMap(({ id, scenarios: all }) => all.map(({ file, name }) => [id, file, name] as const));

/** Returns the prefixes of parameterized test names, before `%s` or `%j`. */
const templates = (source: string): string[] =>
  [...source.matchAll(/'([^'\n]{8,}?)%[sj]/g)].map(([, beginning]) => beginning ?? '');

test.each(scenarios)('%s: %s has the scenario "%s"', async (_id, file, name) => {
  const source = await readFile(join(import.meta.dirname, '..', file), 'utf8');
  const holds = (part: string) => source.includes(part) || templates(source).some((begin) => part.startsWith(begin));
  expect(name.split(' > ').filter((part) => !holds(part))).toEqual([]);
});

test('the rows have ids of their own', () => {
  const ids = rows.map(({ id }) => id);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
});
