import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rows } from '../faults/rows.ts';

const scenarios = rows.flatMap(({ id, scenarios: all }) => all.map(({ file, name }) => [id, file, name] as const));

test.each(scenarios)('%s: %s holds the scenario "%s"', async (_id, file, name) => {
  const source = await readFile(join(import.meta.dirname, '..', file), 'utf8');
  for (const part of name.split(' > ')) expect(source).toContain(part);
});
