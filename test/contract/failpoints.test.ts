import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failpoints } from '../support/failpoint-table.ts';

const built = resolve(import.meta.dirname, '../../dist');

describe('the step of each failpoint', () => {
  test.each(Object.entries(failpoints))('%s is in its built module once', (_name, { module, find }) => {
    expect(readFileSync(`${built}/${module}`, 'utf8').split(find)).toHaveLength(2);
  });
});
