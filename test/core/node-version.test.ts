import { execFile } from 'node:child_process';
import { describe, expect, test } from 'vitest';

/** Runs in a child process, because the check may end it. */
const startOn = (version: string, platform = 'linux'): Promise<{ code: unknown; stderr: string }> =>
  new Promise((resolve) => {
    const module = new URL('../../src/core/process/node-version.ts', import.meta.url).href;
    const script = `import { requireNode24 } from '${module}'; requireNode24('${version}', '${platform}');`;
    execFile(process.execPath, ['--input-type=module', '--eval', script], (error, _stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stderr });
    });
  });

describe('requireNode24', () => {
  test.each([
    ['linux', 'npm start'],
    ['darwin', 'Install Node 24'],
  ])('rejects an older Node on %s in one line that says what to do', async (platform, remedy) => {
    const { code, stderr } = await startOn('20.20.2', platform);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('needs Node 24 and runs on 20.20.2')]);
    expect(stderr).toContain(remedy);
  });

  test('accepts Node 24 and newer', async () => {
    expect(await startOn('24.21.0')).toEqual({ code: 0, stderr: '' });
    expect(await startOn('26.0.0')).toEqual({ code: 0, stderr: '' });
  });
});
