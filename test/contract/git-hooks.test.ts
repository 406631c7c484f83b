import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'acs-hooks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const check = (message: string) => {
  const file = join(folder, 'message');
  writeFileSync(file, message);
  return spawnSync('sh', [join(root, '.githooks/commit-msg'), file], { encoding: 'utf8' });
};

describe('the commit-msg hook', () => {
  test.each([
    'fix(webhooks): retry after a connection reset',
    'feat(conversations,rest): add GET /v1/conversations/search\n\nThe body says why.',
    'docs: describe branches\n# a comment of git',
    'refactor!: remove the deprecated field',
    'Merge branch main',
    'fixup! fix: something',
  ])('accepts %j', (message) => {
    expect(check(message)).toMatchObject({ status: 0, stderr: '' });
  });

  test.each([
    ['Fixed stuff', 'must start with a type'],
    ['fix:missing space', 'must start with a type'],
    ['fix(Web Hooks): no', 'must start with a type'],
    [`fix: ${'x'.repeat(100)}`, 'at most 100 characters'],
    ['fix: ends with a period.', 'must not end with a period'],
    ['fix: subject\nbody without a blank line', 'second line must be blank'],
  ])('rejects %j', (message, reason) => {
    const { status, stderr } = check(message);
    expect(status).toBe(1);
    expect(stderr).toContain(reason);
  });
});

describe('the pre-commit hook', () => {
  const run = (program: string, ...args: string[]) =>
    spawnSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
    });

  test('passes where the tools are not installed', () => {
    run('git', 'init', '-q');
    const env = { PATH: '/usr/bin:/bin' };
    expect(spawnSync('sh', [join(root, '.githooks/pre-commit')], { cwd: folder, env }).status).toBe(0);
  });

  test('formats a staged file, and leaves one with other changes alone', () => {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    for (const name of ['whole.ts', 'partial.ts']) writeFileSync(join(folder, name), 'export const a  =  1\n');
    run('git', 'add', 'whole.ts', 'partial.ts');
    writeFileSync(join(folder, 'partial.ts'), 'export const a  =  2\n');
    expect(run('sh', join(root, '.githooks/pre-commit'))).toMatchObject({ status: 0 });
    expect(run('git', 'show', ':whole.ts').stdout).toBe('export const a = 1;\n');
    expect(run('git', 'show', ':partial.ts').stdout).toBe('export const a  =  1\n');
  });

  test('refuses a staged file that the linter refuses', () => {
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify({ rules: { 'no-debugger': 'error' } }));
    writeFileSync(join(folder, 'wrong.ts'), 'export const a = (b: number) => { debugger; return b; };\n');
    run('git', 'add', 'wrong.ts');
    expect(run('sh', join(root, '.githooks/pre-commit')).status).not.toBe(0);
  });
});

describe('npm ci', () => {
  test('does not depend on git', async () => {
    const { scripts } = (await import('../../package.json', { with: { type: 'json' } })).default;
    const { status } = spawnSync('/bin/sh', ['-c', scripts.prepare], { cwd: folder, env: { PATH: '/nonexistent' } });
    expect(status).toBe(0);
  });
});
