import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface Chromium {
  executablePath: string;
  /** Environment variables with which the browser finds libraries that a minimal system lacks. */
  env: Record<string, string>;
}

const systemNames = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Finds CHROMIUM_PATH, else the system's browser, else the one from npm. @throws Error that says what to install */
export async function findChromium(): Promise<Chromium> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? findOnPath();
  return executablePath ? { executablePath, env: {} } : unpackedOnce();
}

const findOnPath = (): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => systemNames.map((name) => join(folder, name)))
    .find((path) => existsSync(path));

/**
 * Reading its path makes the package unpack itself; the variable makes it unpack its libraries too. Its own browser
 * arguments are not used, because they run every context in one process with one cookie jar.
 */
const unpack = `
  const { default: chromium } = await import('@sparticuz/chromium');
  const executablePath = await chromium.executablePath();
  console.log(JSON.stringify({ executablePath }));`;

const lockTimeoutMs = 60_000;

/** Unpacks the npm browser in a child process, so that its variables do not leak into tests. Workers share one copy. */
async function unpackedOnce(): Promise<Chromium> {
  const folder = join(tmpdir(), 'agent-chat-service-chromium-153');
  const ready = join(folder, 'ready.json');
  const deadline = Date.now() + lockTimeoutMs;
  while (
    !existsSync(ready) &&
    !(await mkdir(`${folder}.lock`).then(
      () => true,
      () => false,
    ))
  ) {
    if (Date.now() > deadline) await rm(`${folder}.lock`, { recursive: true, force: true });
    await sleep(200);
  }
  try {
    if (!existsSync(ready)) await unpackTo(folder, ready);
  } finally {
    await rm(`${folder}.lock`, { recursive: true, force: true });
  }
  const { executablePath } = JSON.parse(await readFile(ready, 'utf8')) as Omit<Chromium, 'env'>;
  return { executablePath, env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } };
}

async function unpackTo(folder: string, ready: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const env = { ...process.env, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x', TMPDIR: folder };
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', unpack], { env });
  const { stdout } = await run.catch((error: unknown) => {
    throw new Error('No browser for the console’s tests. Install Chromium or set CHROMIUM_PATH.', { cause: error });
  });
  await writeFile(`${ready}.new`, stdout);
  await rename(`${ready}.new`, ready);
}

/** Returns browser arguments that play a WAV file in a loop as the microphone and grant every page access to it. */
export const hearing = (file: string): string[] => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-audio-capture=${file}`,
];
