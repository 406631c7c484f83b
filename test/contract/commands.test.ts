import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/app/commands.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** Returns the simple commands of a script, without what the shell does around them. */
const partsOf = (script: string): string[] =>
  script
    .replaceAll(/\d?>\S+( 2>&1)?/g, '')
    .split(/&&|\|\||[&()]/)
    .map((part) => part.replaceAll(/\w+=\S*(?:\s|$)|\bexec /g, '').trim())
    .filter((part) => part !== '');
/** Names of the scripts that `name` runs, itself included. */
function runBy(name: string): string[] {
  const called = partsOf(scripts[name] ?? '').flatMap((part) => /^npm (?:run )?(?:-s )?([\w:]+)/.exec(part)?.[1] ?? []);
  const before = scripts[`pre${name}`] === undefined ? [] : [`pre${name}`];
  return [name, ...[...before, ...called].flatMap(runBy)];
}
/** These run whole in every run of the tests: the tests, and the checks and builds before them. */
const tested = new Set(runBy('test'));

/** Starts a program with an option that it does not have, which it may only refuse after all its imports are loaded. */
const refusal = (file: string): Promise<string> =>
  new Promise((done) => {
    execFile(process.execPath, [join(root, file), '--no-such-option'], { cwd: root }, (error, _out, said) =>
      done(error ? said : 'no error'),
    );
  });

const programs = Object.keys(scripts)
  .filter((name) => !tested.has(name))
  .flatMap((name) => partsOf(scripts[name] ?? '').map((part) => ({ name, part })));

describe('each command of package.json', () => {
  test('is described in the contributing guide, unless another one or npm runs it', () => {
    const described = new Set(
      [...read('CONTRIBUTING.md').matchAll(/^\| `npm (?:run )?([\w:]+)/gm)].map(([, name = '']) => name),
    );
    const used = new Set(Object.keys(scripts).flatMap((name) => runBy(name).slice(1)));
    const missing = Object.keys(scripts).filter((name) => !described.has(name) && !used.has(name));
    expect(missing).toEqual(['prepare', 'start']);
    expect([...described].filter((name) => !(name in scripts))).toEqual([]);
  });

  const checked = programs.filter(({ part }) => /^node (?:--\S+ )?(?:test|rest|lint|deploy)\//.test(part));
  const withOptions = checked.filter(({ part }) => read(fileOf(part)).includes('parseArgs('));

  test.each(withOptions.map(({ name, part }) => [name, fileOf(part)] as const))('%s starts', async (_name, file) => {
    expect(await refusal(file)).toContain("Unknown option '--no-such-option'");
  });

  test('names programs, and commands of the service, that exist', () => {
    const missing = programs.filter(({ part }) => !exists(part)).map(({ name, part }) => `${name}: ${part}`);
    expect(missing).toEqual([]);
  });
});

test('programs and pages that tests and builds name by their path exist', () => {
  const named = /(?:new URL\(|(?:join|resolve)\(import\.meta\.dirname, )'(\.{1,2}\/[^'$]+\.[a-z]+)'/g;
  const floor = /startFloor\('([^']+)'/g;
  const missing = globSync('{test,deploy,lint,rest,web}/**/*.ts', { cwd: root }).flatMap((file) => {
    const text = read(file);
    const paths = [...text.matchAll(named)].map(([, path = '']) => join(dirname(file), path));
    const floors = [...text.matchAll(floor)].map(([, path = '']) => join('test/bench/floors', path));
    return [...paths, ...floors].filter((path) => !existsSync(join(root, path))).map((path) => `${file}: ${path}`);
  });
  expect(missing.filter((line) => !line.includes(': dist/'))).toEqual([]);
});

/** Returns the file of a part such as `node a/b.ts --write`. */
function fileOf(part: string): string {
  return /[\w./-]+\.[jt]s/.exec(part)?.[0] ?? '';
}

/** Returns whether what a part runs is there: a script, a command of the service, a source, or an installed program. */
function exists(part: string): boolean {
  const [program = '', ...args] = part.split(' ').filter((word) => !word.startsWith('-'));
  if (program === 'npm') return args.every((word) => word === 'run' || word in scripts);
  if (['git', 'exit'].includes(program)) return true;
  if (program !== 'node') return existsSync(join(root, 'node_modules/.bin', program));
  const file = fileOf(part);
  if (basename(file) === 'main.js') return args[1] === undefined || commands[args[1]] !== undefined;
  return existsSync(join(root, file.replace(/^dist\/(.+)\.js$/, '$1.ts')));
}
