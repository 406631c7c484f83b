import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, utimes } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { reserveUpload } from '../../src/core/http/temporary-uploads.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const module = new URL('../../src/core/http/temporary-uploads.ts', import.meta.url).href;

let app: TestApp;
const open: ClientRequest[] = [];
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => {
  for (const one of open.splice(0)) one.destroy();
});
afterAll(() => app.close());

const boundary = 'half-open';
const head = `--${boundary}\r\nContent-Disposition: form-data; name="audio"; filename="a.mp3"\r\nContent-Type: audio/mpeg\r\n\r\nID3`;

/** Begins an upload of a recording of 25 MB and sends its first bytes. Returns the status, or null if none comes. */
async function begin(token: string): Promise<number | null> {
  const sent = request(`${app.baseUrl}/v1/voice/stt`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': `half-open-${open.length}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': 25 * 1_048_576,
    },
  });
  sent.on('error', () => undefined);
  open.push(sent);
  sent.write(head);
  const answer = once(sent, 'response').then(([response]) => (response as IncomingMessage).statusCode ?? null);
  return Promise.race([answer, new Promise<null>((done) => setTimeout(() => done(null), 250))]);
}

describe('uploads that do not end', () => {
  test('are refused from 512 MB of an account on, and others are not', async () => {
    const { token } = await app.signUp();
    const statuses: (number | null)[] = [];
    while (statuses.length < 24) statuses.push(await begin(token));
    expect(statuses.filter((status) => status === null).length).toBe(20);
    expect(statuses.slice(20)).toEqual([429, 429, 429, 429]);
    const other = await app.signUp();
    expect(await begin(other.token)).toBeNull();
  });

  test('free their space when the client leaves', async () => {
    const { token } = await app.signUp();
    for (let n = 0; n < 20; n++) await begin(token);
    expect(await begin(token)).toBe(429);
    for (const one of open.splice(0)) one.destroy();
    await eventually(async () => (await begin(token)) === null, { what: 'the space' });
  });
});

test('an instance accepts at most 2,048 MB at once', () => {
  const ports = {};
  const ctx = (userId: string) => ({ ports, actor: { kind: 'user', userId } }) as never;
  const releases = [1, 2, 3, 4].map((n) => reserveUpload(ctx(`usr_${n}`), 536_870_912));
  expect(() => reserveUpload(ctx('usr_5'), 1)).toThrow(/unavailable|try again/i);
  for (const release of releases) release();
  reserveUpload(ctx('usr_5'), 1)();
});

test('what a killed process left is removed by the first upload of the next one', async () => {
  const left = join(tmpdir(), 'acs-upload-of-a-killed-process');
  await mkdir(left, { recursive: true });
  const before = new Date(Date.now() - 7_200_000);
  await utimes(left, before, before);
  const program = `const { makeUploadFolder } = await import(${JSON.stringify(module)}); process.stdout.write(await makeUploadFolder())`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const there = await readdir(tmpdir());
  expect(there).not.toContain('acs-upload-of-a-killed-process');
  expect(there).toContain(basename(stdout));
  await rm(stdout, { recursive: true });
});
