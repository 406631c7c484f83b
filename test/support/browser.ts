import { existsSync, rmSync, statfsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished, TestRunner } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { findConsole } from '../../src/http/console/console.ts';
import { startTestApp, type TestApp } from './app.ts';
import { findChromium, hearing } from './chromium.ts';
import type { Account } from './client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { addModerator, signInModerator } from './moderators.ts';
import { createPages, emptyPath, type PageOptions } from './pages.ts';

export interface Visitor {
  email: string;
  password: string;
}

export type SignedInPage = Page & { visitor: Visitor; token: string };

export interface ConsoleApp extends TestApp {
  /** Opens a page without any state of other tests, for the duration of the test. Its errors fail `expectNoFaults`. */
  visit(path: string, options?: PageOptions): Promise<Page>;
  /** Like `visit`, signed in with a new account. */
  visitSignedIn(path: string, options?: PageOptions): Promise<SignedInPage>;
  /** Like `visit`, signed in with an existing account. */
  visitAs(account: Visitor, path: string, options?: PageOptions): Promise<Page>;
  /** Opens a page with a new account for all tests of a file: `go` opens a screen without reloading the console. */
  staySignedIn(options?: PageOptions): Promise<SignedInPage>;
  /** Closes the pages that `staySignedIn` opened. */
  closePages(): Promise<void>;
  /** Fails on logged errors, blocked scripts and styles, and requests to other hosts, unless they match `caused`. */
  expectNoFaults(caused?: RegExp): void;
}

let browser: Promise<Browser> | undefined;

/** Most scripts of a test run once, so optimizing them and cleaning up in threads costs more than it saves. */
const cheap = [
  '--js-flags=--no-maglev,--no-turbofan,--no-concurrent-sparkplug,--single-threaded-gc',
  '--num-raster-threads=1',
];

/** Containers may have only 64 MB, without which pages crash. */
function hasSharedMemory(): boolean {
  if (!existsSync('/dev/shm')) return false;
  const { bavail, bsize } = statfsSync('/dev/shm');
  return bavail * bsize >= 2 ** 30;
}

/** One browser per worker, which ends with the process, unless an app has its own. */
async function openBrowser(args: string[] = []): Promise<Browser> {
  const { env, ...found } = await findChromium();
  return chromium.launch({
    ...found,
    args: [...args, ...cheap],
    // Files on a disk as shared memory cost a twentieth of the processor time of a run.
    ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [],
    env: { ...process.env, ...env } as Record<string, string>,
  });
}

type ConsoleOptions = NonNullable<Parameters<typeof startTestApp>[0]> & {
  /** Path of a WAV file that a separate browser receives as its microphone. */
  microphone?: string;
};

let accounts = 0;

/** Starts the complete service with its console, for a browser. */
export async function startConsole({ microphone, env, ...options }: ConsoleOptions = {}): Promise<ConsoleApp> {
  // Begins while the service starts.
  const opening = microphone === undefined ? (browser ??= openBrowser()) : openBrowser(hearing(microphone));
  const port = await freePort();
  // Known before the start, so that payment pages lead back to the console.
  const own = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
  const app = await startTestApp({ ...options, env: { ...own, ...env }, consoleFolder: findConsole() });
  const opened = await opening;
  const faults: string[] = [];
  const pages = createPages(opened, app.baseUrl, faults);
  const openPage = (pageOptions?: PageOptions): Promise<Page> =>
    pages.open({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', reducedMotion: 'reduce', ...pageOptions });
  const releaseAfterTest = (page: Page): void => {
    onTestFinished(() => pages.release(page));
    printIfFailed(page);
  };
  const signIn = async (page: Page): Promise<SignedInPage> => {
    accounts += 1;
    const visitor = { email: `visitor-${process.pid}-${accounts}@example.com`, password: 'correct horse battery' };
    const answer = await page.request.post('/session/register', { data: visitor, headers: { origin: app.baseUrl } });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    return Object.assign(page, { visitor, token });
  };
  /** A pooled page already shows `emptyPath`. */
  const load = async (page: Page, path: string): Promise<unknown> =>
    path === emptyPath && page.url() === `${app.baseUrl}${emptyPath}` ? undefined : page.goto(path);
  const staying: Page[] = [];
  const closePages = async (): Promise<void> => {
    await Promise.all(staying.splice(0).map((page) => pages.release(page)));
  };
  return {
    ...app,
    async visit(path, pageOptions) {
      const page = await openPage(pageOptions);
      releaseAfterTest(page);
      await load(page, path);
      return page;
    },
    async visitSignedIn(path, pageOptions) {
      const page = await openPage(pageOptions);
      releaseAfterTest(page);
      const signedIn = await signIn(page);
      await load(page, path);
      return signedIn;
    },
    async visitAs({ email, password }, path, pageOptions) {
      const page = await openPage(pageOptions);
      releaseAfterTest(page);
      await page.request.post('/session/login', { data: { email, password }, headers: { origin: app.baseUrl } });
      await load(page, path);
      return page;
    },
    async staySignedIn(pageOptions) {
      const page = await openPage(pageOptions);
      staying.push(page);
      return signIn(page);
    },
    closePages,
    async close() {
      await pages.close();
      if (opening !== browser) await opened.close();
      await app.close();
    },
    expectNoFaults: (caused = /^$/) => expect(faults.splice(0).filter((fault) => !caused.test(fault))).toEqual([]),
  };
}

const watched = new WeakMap<Page, unknown>();

/**
 * Prints what a page shows, as its accessibility tree, if the current test fails: what a test waited for does not say
 * why it was missing.
 */
export function printIfFailed(page: Page): void {
  const test = TestRunner.getCurrentTest();
  if (!test || watched.get(page) === test) return;
  watched.set(page, test);
  onTestFinished(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    for (const frame of page.frames()) {
      const shown = await frame.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String);
      process.stderr.write(`Page of the failed test "${task.name}", ${frame.url()}:\n${shown}\n`);
    }
  });
}

export interface SharedConsole extends ConsoleApp {
  moderator: Account;
}

let shared: Promise<ConsoleApp> | undefined;

/**
 * Returns one console for all test files of a worker, for tests that only look at their own accounts: the service is
 * warm after the first file. `close` closes the pages of the file; the service ends with the process.
 */
export async function shareConsole(): Promise<SharedConsole> {
  const app = await (shared ??= startShared());
  app.model.reset();
  return { ...app, moderator: await signInModerator(app), close: () => app.closePages() };
}

async function startShared(): Promise<ConsoleApp> {
  const moderatorId = newId('usr_');
  const app = await startConsole({ env: { MODERATORS: moderatorId, WEBHOOK_RETRY_DELAYS: '0.1' } });
  process.once('SIGTERM', () => {
    rmSync(app.dataDir, { recursive: true, force: true });
    process.exit();
  });
  await addModerator(app, moderatorId);
  return app;
}

/** Opens a screen as a link does, or loads the console if the page shows something else. Waits until it is shown. */
export async function go(page: Page, path: string): Promise<void> {
  printIfFailed(page);
  const isLoaded = await page.evaluate('document.querySelector("#root") !== null');
  await (isLoaded ? page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`) : page.goto(path));
  await screenShown(page);
}

/** The previous screen stays until the next one is loaded, so a test that does not wait would act on it. */
const isScreenShown = `(() => {
  const router = globalThis.__TSR_ROUTER__;
  return router?.state.status === 'idle' && router.state.resolvedLocation?.href === router.latestLocation.href;
})()`;

/** Waits until the page shows the screen of its URL. */
const screenShown = (page: Page): Promise<unknown> =>
  eventually(() => page.evaluate(isScreenShown), { what: 'the screen of the address' });
