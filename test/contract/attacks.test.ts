import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { attackRows } from '../attack/rows.ts';

const root = resolve(import.meta.dirname, '../..');
const references = attackRows.flatMap(({ id, suite = [] }) => suite.map((reference) => [id, reference] as const));

/** The titles of a file, with escapes resolved as in its strings. */
const titlesOf = (path: string): string =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8').replaceAll(/\\(['"`])/g, '$1') : '';

test.each(references)('%s relies on a guarantee that exists: %s', (_id, reference) => {
  const [file = '', part = ''] = reference.split(' > ');
  expect(titlesOf(file)).toContain(part);
});
