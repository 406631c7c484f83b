import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

/** Asks in a process of its own, because the answer may be to end it. */
const startOn = (version: string): Promise<{ code: unknown; stderr: string }> =>
  new Promise((resolve) => {
    const module = new URL('../../src/core/node-version.ts', import.meta.url).href;
    const script = `import { requireNode24 } from '${module}'; requireNode24('${version}');`;
    execFile(process.execPath, ['--input-type=module', '--eval', script], (error, _stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stderr });
    });
  });

test('an older Node is refused in one clear line', async () => {
  const { code, stderr } = await startOn('20.20.2');
  expect(code).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('needs Node 24 and runs on 20.20.2')]);
});

test('Node 24 and newer go on', async () => {
  expect(await startOn('24.21.0')).toEqual({ code: 0, stderr: '' });
  expect(await startOn('26.0.0')).toEqual({ code: 0, stderr: '' });
});
