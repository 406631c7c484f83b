import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../support/chromium.ts';
import { settled } from '../support/settled.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { seed } from './seed.ts';

// Takes a picture of every screen of the console into docs/images: desktop and phone, light and dark.
const folder = 'docs/images';
const forms = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const;

const port = await freePort();
const baseUrl = `http://localhost:${port}`;
const dataDir = await mkdtemp(join(tmpdir(), 'screenshots-'));
const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error' };
const service = spawn(process.execPath, ['dist/src/main.js'], { env, stdio: 'inherit' });
try {
  const isReady = () =>
    fetch(`${baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(isReady, { what: 'the service', timeoutMs: 60_000 });
  await takeAll();
} finally {
  service.kill();
  await new Promise((resolve) => service.once('exit', resolve));
  await rm(dataDir, { recursive: true, force: true });
}

async function takeAll(): Promise<void> {
  const { env: libraries, ...found } = await findChromium();
  const browser = await chromium.launch({ ...found, env: { ...process.env, ...libraries } as Record<string, string> });
  const screens = await seed(baseUrl);
  await mkdir(folder, { recursive: true });
  for (const [form, options] of Object.entries(forms)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        ...options,
        colorScheme,
        baseURL: baseUrl,
        locale: 'en-GB',
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const take = (name: string, path: string) => takeOne(page, path, `${folder}/${name}-${form}-${colorScheme}.png`);
      for (const [name, path] of screens.visitor) await take(name, path);
      await page.request.post('/session/login', { data: screens.credentials, headers: { origin: baseUrl } });
      for (const [name, path] of screens.member) await take(name, path);
      await context.close();
    }
  }
  await browser.close();
}

async function takeOne(page: Page, path: string, file: string): Promise<void> {
  await page.goto(path);
  await settled(page);
  await page.screenshot({ path: file });
}
