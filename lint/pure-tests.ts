import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Matches what a test of pure code must not use: processes, sockets, and anything that needs a database. */
const impure =
  /'node:(?:child_process|net|http|https|tls|dgram|worker_threads)'|\binject\(|\bfetch\(|embedded-postgres\//;
const imports = /(?:from|import\() ?'(\.[^']+\.ts)'/g;

/**
 * Returns the test files of pure code, relative to `root`: neither they nor the files of test/ that they import start a
 * process, open a socket or use a database.
 */
export function pureTests(root: string): string[] {
  const known = new Map<string, boolean>();
  const isPure = (file: string): boolean => {
    const before = known.get(file);
    if (before !== undefined) return before;
    known.set(file, true);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const inTests = [...text.matchAll(imports)]
      .map(([, path = '']) => resolve(dirname(file), path))
      .filter((path) => path.startsWith(join(root, 'test/')));
    const pure = !impure.test(text) && inTests.every(isPure);
    known.set(file, pure);
    return pure;
  };
  return globSync('test/**/*.test.ts', { cwd: root })
    .map((path) => join(root, path))
    .filter(isPure)
    .map((path) => relative(root, path))
    .sort();
}
