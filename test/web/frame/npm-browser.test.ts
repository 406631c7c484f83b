import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findChromium } from '../../support/chromium.ts';

test('without a browser of the system the one that npm installs is unpacked, with its libraries, and runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'npm-browser-'));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
  vi.stubEnv('CHROMIUM_PATH', undefined);
  vi.stubEnv('PATH', join(folder, 'empty'));
  vi.stubEnv('TMPDIR', folder);
  const before = { ...process.env };

  // Two at once, like workers of a run, which share one copy.
  const [found, other] = await Promise.all([findChromium(), findChromium()]);
  expect(other).toEqual(found);
  expect(found.executablePath.startsWith(folder)).toBe(true);
  const libraries = found.env['LD_LIBRARY_PATH'] ?? '';
  expect(existsSync(join(libraries, 'libnspr4.so'))).toBe(true);
  expect(process.env).toEqual(before);

  const { env, ...options } = found;
  const browser = await chromium.launch({ ...options, env: { ...process.env, ...env } as Record<string, string> });
  try {
    const page = await browser.newPage();
    await page.setContent('<h1>Hello</h1>');
    expect(await page.getByRole('heading').innerText()).toBe('Hello');
  } finally {
    await browser.close();
  }
});
