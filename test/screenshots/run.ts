import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { chromium, type Page } from 'playwright-core';
import { startEmbeddedPostgres } from '../../src/core/embedded-postgres/embedded-postgres.ts';
import sharp from 'sharp';
import { pcmWav } from '../support/audio.ts';
import { findChromium, hearing } from '../support/chromium.ts';
import { settled } from '../support/settled.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type Screen, seed } from './seed.ts';
import { moderatorEmail } from './seed-moderation.ts';
import { password, serviceClient } from './service-client.ts';

// Takes pictures of the console, on desktop and phone, light and dark: of every screen, or of the named ones.
const { positionals: only } = parseArgs({ allowPositionals: true, options: {} });
const folder = process.env['SCREENSHOTS'] ?? 'docs/images';
const forms = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const;

// Formulas are drawn, and code is coloured, once the libraries for that are loaded.
const isDrawn = `!document.querySelector('code[class*=language-math]')
  && [...document.querySelectorAll('figure:has(figcaption) pre > code')].every((code) =>
    code.children.length > 0 || code.closest('figure').querySelector('figcaption').textContent === 'text')`;

const port = await freePort();
const baseUrl = `http://localhost:${port}`;
const dataDir = await mkdtemp(join(tmpdir(), 'screenshots-'));
const log = pino({ level: 'error' });
const postgres = await startEmbeddedPostgres({ dataDir, log });
const db = new pg.Client({ connectionString: postgres.url });
await db.connect();
const env = {
  ...process.env,
  PORT: String(port),
  DATA_DIR: dataDir,
  PROFILE: 'embedded',
  DATABASE_URL: postgres.url,
  LOG_LEVEL: 'error',
};
let service = await start();
try {
  const client = serviceClient(baseUrl);
  const moderator = await client.signUp(moderatorEmail, 'moderator');
  const { id } = await client.call('GET', '/v1/auth/me', undefined, moderator);
  await stop(service);
  service = await start({ MODERATORS: id });
  await takeAll(moderator);
} finally {
  await stop(service);
  await db.end();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function start(settings: Record<string, string> = {}): Promise<ChildProcess> {
  const started = spawn(process.execPath, ['dist/service/main.js'], { env: { ...env, ...settings }, stdio: 'inherit' });
  const isReady = () =>
    fetch(`${baseUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(isReady, { what: 'the service', timeoutMs: 60_000 });
  return started;
}

async function stop(started: ChildProcess): Promise<void> {
  started.kill();
  await new Promise((resolve) => started.once('exit', resolve));
}

async function takeAll(moderator: string): Promise<void> {
  const { env: libraries, ...found } = await findChromium();
  const silence = join(dataDir, 'silence.wav');
  await writeFile(silence, pcmWav(new Int16Array(16_000), 16_000));
  const args = hearing(silence);
  const browser = await chromium.launch({
    ...found,
    args,
    env: { ...process.env, ...libraries } as Record<string, string>,
  });
  const screens = await seed(baseUrl, db, moderator);
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
      const take = async (screen: Screen) => {
        if (only.length > 0 && !only.includes(screen[0])) return;
        await takeOne(page, screen, `${folder}/${screen[0]}-${form}-${colorScheme}.png`);
      };
      for (const screen of screens.visitor) await take(screen);
      const signIn = (as: string) =>
        page.request.post('/session/login', { data: { email: as, password }, headers: { origin: baseUrl } });
      await signIn(screens.email);
      for (const screen of screens.member) await take(screen);
      await signIn(moderatorEmail);
      for (const screen of screens.moderator) await take(screen);
      await context.close();
    }
  }
  await browser.close();
}

async function takeOne(page: Page, [, path, ...press]: Screen, file: string): Promise<void> {
  await page.goto(path);
  await settled(page);
  for (const one of press) {
    const [, opens, name] = /^(button|dialog|region):(.*)/.exec(one) ?? [];
    await (name ? page.getByRole('button', { name }).last().click() : page.keyboard.press(one));
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    const status = page.getByRole('region', { name: name ?? '' }).getByRole('status');
    if (opens === 'region') await status.filter({ hasNotText: '…' }).waitFor();
    else if (opens !== 'button') await dialog.waitFor();
    await settled(page);
  }
  await eventually(() => page.evaluate(isDrawn));
  // 256 colours are enough for screens, and a quarter of the size.
  await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toFile(file);
}
