import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { report } from '../support/fault-report.ts';
import { freePort } from '../support/free-port.ts';
import { makeScratchFolder } from '../support/scratch-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const copied = ['src', 'schema', 'rest', 'jobs', 'web', 'deploy', 'docs', 'tsconfig.json', 'tsconfig.build.json'];
const packageFiles = ['package.json', 'package-lock.json', 'README.md', 'CHANGELOG.md'];

/** A copy of the sources, whose changes and builds are not those of this checkout. */
let folder: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = await makeScratchFolder('acs-npm-start-');
  for (const path of [...copied, ...packageFiles]) await cp(join(root, path), join(folder, path), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  for (const child of running) killGroup(child);
  await rm(folder, { recursive: true, force: true });
});

interface Start {
  child: ChildProcess;
  url: string;
  output: () => string;
}

/** Runs `npm start` as a person does. */
async function npmStart(): Promise<Start> {
  const port = await freePort();
  const child = spawn('npm', ['start'], {
    cwd: folder,
    detached: true,
    env: { PATH: process.env['PATH'], HOME: folder, PORT: String(port), DATA_DIR: join(folder, `data-${port}`) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  return { child, url: `http://127.0.0.1:${port}`, output: () => output };
}

async function serves({ url, output }: Start): Promise<void> {
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(isReady, { what: `the service: ${output()}`, timeoutMs: 300_000 });
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(-(child.pid ?? 0), signal);
  } catch {
    // It has ended.
  }
}

async function stop({ child }: Start): Promise<void> {
  const ended = once(child, 'exit');
  killGroup(child, 'SIGTERM');
  await ended;
}

const builds = async (): Promise<string[]> =>
  (await readdir(join(folder, 'dist/starts')).catch(() => [])).filter((name) => !name.endsWith('.lock'));
const countOf = (text: string, part: string): number => text.split(part).length - 1;

test('builds once for starts at the same time, survives a kill in the middle, and keeps the files of a running service', async ({
  task,
}) => {
  // Killed while it builds.
  const killed = await npmStart();
  await eventually(async () => (await builds()).length > 0, { what: 'a build', timeoutMs: 60_000 });
  killGroup(killed.child);
  await once(killed.child, 'close');

  const together = await Promise.all([npmStart(), npmStart()]);
  await Promise.all(together.map(serves));
  const [first] = together;
  expect(countOf(together.map(({ output }) => output()).join(''), 'Built in')).toBe(1);
  expect(await builds()).toHaveLength(1);

  // A restart builds nothing.
  await stop(together[1]);
  const again = await npmStart();
  await serves(again);
  expect(again.output()).not.toContain('Building');
  await stop(again);

  // A start after a change leaves the files of the running service.
  const script = async () => {
    const html = await (await fetch(first.url, { headers: { accept: 'text/html' } })).text();
    return /\/assets\/[\w.-]+\.js/.exec(html)?.[0] ?? '';
  };
  const before = await script();
  await appendFile(join(folder, 'web/src/main.tsx'), '\ndocument.documentElement.dataset["changed"] = "yes";\n');
  const changed = await npmStart();
  let failures = 0;
  const watching = setInterval(() => {
    void fetch(first.url + before).then(({ status }) => (failures += status === 200 ? 0 : 1));
  }, 100);
  await serves(changed);
  clearInterval(watching);
  expect(failures).toBe(0);
  expect(await builds()).toHaveLength(2);
  expect(await script()).toBe(before);
  expect((await fetch(first.url + before)).status).toBe(200);

  // Unused builds are removed, except the newest ones.
  await stop(changed);
  await mkdir(join(folder, 'dist/starts/0000000000000000.999999999'));
  await stop(first);
  const last = await npmStart();
  await serves(last);
  expect(await builds()).toHaveLength(2);
  await stop(last);
  report(
    { task },
    {
      times: '1 kill in a build, 2 starts at once, 1 change',
      checked: 'builds, assets of the running service',
    },
  );
}, 600_000);
