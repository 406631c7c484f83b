import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { attackRows } from '../attack/rows.ts';

const root = resolve(import.meta.dirname, '../..');
const references = attackRows.flatMap(({ id, suite = [] }) => suite.map((reference) => [id, reference] as const));

/** Returns the source of a file with the escapes in its strings resolved. */
const titlesOf = (path: string): string =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8').replaceAll(/\\(['"`])/g, '$1') : '';

test.each(references)('%s relies on a guarantee that exists: %s', (_id, reference) => {
  const [file = '', part = ''] = reference.split(' > ');
  expect(titlesOf(file)).toContain(part);
});

const scenarioFiles = readdirSync(join(root, 'test/attack')).filter((name) => name.endsWith('.attack.ts'));
const tried = new Set(
  scenarioFiles.flatMap((name) =>
    [...readFileSync(join(root, 'test/attack', name), 'utf8').matchAll(/\battack\(\s*'([A-Z0-9 ]+)'/g)].flatMap(
      ([, rows = '']) => rows.split(' '),
    ),
  ),
);

test('the rows have ids of their own', () => {
  const ids = attackRows.map(({ id }) => id);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
});

test('each row is tried by a scenario or relies on a guarantee, and each scenario has its row', () => {
  const bare = attackRows.filter(({ id, suite = [] }) => suite.length === 0 && !tried.has(id));
  expect(bare.map(({ id }) => id)).toEqual([]);
  expect([...tried].filter((id) => !attackRows.some((row) => row.id === id))).toEqual([]);
});
