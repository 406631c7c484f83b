import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../rest/routes.ts';
import { environmentVariables } from '../../src/core/environment.ts';
import { errorTable } from '../../src/core/errors.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { pathWithCurl } from '../support/curl.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const packageJson = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};

const section = (title: string): string =>
  readme.split(new RegExp(`^#{2,3} ${title}$`, 'm'))[1]?.split(/^#{2,3} /m)[0] ?? '';

describe('the README', () => {
  test('lists every error code with its status and text', () => {
    const rows = [...section('Errors').matchAll(/^\| `(\w+)` \| (\d+) \| (.+) \|$/gm)].map(
      ([, code, status, message]) => [code, { status: Number(status), message }],
    );
    expect(Object.fromEntries(rows)).toEqual(errorTable);
  });

  test('lists every variable of the environment and no other', () => {
    const cells = [...section('Settings').matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(([, cell]) => [
      ...(cell ?? '').matchAll(/`([A-Z_]+)`/g),
    ]);
    expect(cells.map(([, name]) => name).sort()).toEqual([...environmentVariables].sort());
  });

  test('names only commands that there are', () => {
    const named = new Set([...readme.matchAll(/npm run ([a-z:]+)/g)].map(([, name]) => name ?? ''));
    expect([...named].filter((name) => !(name in packageJson.scripts))).toEqual([]);
  });

  test('names only paths of /v1 that there are', () => {
    const known = routes.map(({ path }) => new RegExp(`^/v1${path.replace(/:\w+/g, '[^/]+')}$`));
    const named = [...readme.matchAll(/(\/v1\/[\w$:/-]+)/g)].map(([, path]) => path ?? '');
    expect(named.filter((path) => !known.some((form) => form.test(path)))).toEqual([]);
  });
});

describe('the tour', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  test('works when it is pasted into a shell, and once more into another', async () => {
    const blocks = [...readme.matchAll(/^```bash tour\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
    expect(blocks.length).toBeGreaterThan(4);
    const script = ['set -eu', ...blocks].join('\n');
    const env = { ...process.env, PATH: await pathWithCurl(), BASE_URL: app.baseUrl };
    const paste = () => promisify(execFile)('bash', ['-c', script], { env, timeout: 60_000 });
    const [{ stdout }] = await Promise.all([paste(), paste()]);
    expect(stdout).not.toContain('"error"');
    expect(stdout).toContain('event: done');
    expect(stdout).toContain('"assistant_message"');
    expect(stdout).toContain('"has_more"');
    expect(stdout).toContain('MessageDone');
    expect(stdout).toContain('"from_bot":true');
    expect(stdout).toContain('"citations":[{');
  }, 90_000);
});
