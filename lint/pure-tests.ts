import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** What a test of pure code does not import: processes, sockets, and whatever needs a database. */
const impure =
  /'node:(?:child_process|net|http|https|tls|dgram|worker_threads)'|\binject\(|\bfetch\(|embedded-postgres\//;
const imports = /(?:from|import\() ?'(\.[^']+\.ts)'/g;

/**
 * Returns the test files of pure code, relative to `root`: those that neither import, by way of other files of test/ as
 * well, anything that starts a process, opens a socket or asks for a database.
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
