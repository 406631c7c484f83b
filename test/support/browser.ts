import { rmSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { findConsole } from '../../src/http/console.ts';
import { startTestApp, type TestApp } from './app.ts';
import { findChromium, hearing } from './chromium.ts';
import { eventually } from './eventually.ts';

export interface Visitor {
  email: string;
  password: string;
}

export type SignedInPage = Page & { visitor: Visitor; token: string };

export interface ConsoleApp extends TestApp {
  /** A page in a context of its own until the test ends. Whatever goes wrong in it fails `expectNoFaults`. */
  visit(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** The same, signed in with a new account. */
  visitSignedIn(path: string, options?: BrowserContextOptions): Promise<SignedInPage>;
  /** The same, signed in with an account that exists. */
  visitAs(account: Visitor, path: string, options?: BrowserContextOptions): Promise<Page>;
  /** A page signed in with a new account that the tests of a file share: `go` opens a screen without loading the console. */
  staySignedIn(options?: BrowserContextOptions): Promise<SignedInPage>;
  /** Closes what `staySignedIn` opened. */
  closePages(): Promise<void>;
  /** Fails on errors in the log, refused scripts and styles, and requests to other hosts, but for those that a test caused. */
  expectNoFaults(caused?: RegExp): void;
}

let browser: Promise<Browser> | undefined;

/** One browser a worker, which ends with the process, unless an app has its own. */
async function openBrowser(args: string[] = []): Promise<Browser> {
  const { env, ...found } = await findChromium();
  return chromium.launch({ ...found, args, env: { ...process.env, ...env } as Record<string, string> });
}

type ConsoleOptions = NonNullable<Parameters<typeof startTestApp>[0]> & {
  /** A WAV file that a browser of its own hears. */
  microphone?: string;
};

let accounts = 0;

/** The whole service with its console, for a browser. */
export async function startConsole({ microphone, ...options }: ConsoleOptions = {}): Promise<ConsoleApp> {
  const app = await startTestApp({ ...options, consoleFolder: findConsole() });
  const own = microphone === undefined ? null : await openBrowser(hearing(microphone));
  const opened = own ?? (await (browser ??= openBrowser()));
  const faults: string[] = [];
  const openPage = async (contextOptions: BrowserContextOptions = {}): Promise<Page> => {
    const context = await opened.newContext({
      baseURL: app.baseUrl,
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      reducedMotion: 'reduce',
      ...contextOptions,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(40_000);
    watch(page, app.baseUrl, faults);
    return page;
  };
  // A page that stayed open would follow events and take time from the tests after it.
  const closeAfterTest = (page: Page): void => onTestFinished(() => page.context().close());
  const signIn = async (page: Page): Promise<SignedInPage> => {
    accounts += 1;
    const visitor = { email: `visitor-${process.pid}-${accounts}@example.com`, password: 'correct horse battery' };
    const answer = await page.request.post('/session/register', { data: visitor, headers: { origin: app.baseUrl } });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    return Object.assign(page, { visitor, token });
  };
  const staying: Page[] = [];
  const closePages = async (): Promise<void> => {
    await Promise.all(staying.splice(0).map((page) => page.context().close()));
  };
  return {
    ...app,
    async visit(path, contextOptions) {
      const page = await openPage(contextOptions);
      closeAfterTest(page);
      await page.goto(path);
      return page;
    },
    async visitSignedIn(path, contextOptions) {
      const page = await openPage(contextOptions);
      closeAfterTest(page);
      const signedIn = await signIn(page);
      await page.goto(path);
      return signedIn;
    },
    async visitAs({ email, password }, path, contextOptions) {
      const page = await openPage(contextOptions);
      closeAfterTest(page);
      await page.request.post('/session/login', { data: { email, password }, headers: { origin: app.baseUrl } });
      await page.goto(path);
      return page;
    },
    async staySignedIn(contextOptions) {
      const page = await openPage(contextOptions);
      staying.push(page);
      return signIn(page);
    },
    closePages,
    async close() {
      await closePages();
      await own?.close();
      await app.close();
    },
    expectNoFaults: (caused = /^$/) => expect(faults.splice(0).filter((fault) => !caused.test(fault))).toEqual([]),
  };
}

let shared: Promise<ConsoleApp> | undefined;

/**
 * The console of every file of a worker whose tests look only at their own accounts: what it has compiled and prepared
 * serves them all. `close` closes the pages of the file; the service ends with the process.
 */
export async function shareConsole(): Promise<ConsoleApp> {
  const app = await (shared ??= startShared());
  app.model.reset();
  return { ...app, close: () => app.closePages() };
}

async function startShared(): Promise<ConsoleApp> {
  const app = await startConsole();
  process.once('SIGTERM', () => {
    rmSync(app.dataDir, { recursive: true, force: true });
    process.exit();
  });
  return app;
}

/** Opens a screen as a link does, or loads the console when the page shows something else, and waits until it is shown. */
export async function go(page: Page, path: string): Promise<void> {
  const isLoaded = await page.evaluate('document.querySelector("#root") !== null');
  await (isLoaded ? page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`) : page.goto(path));
  await screenShown(page);
}

/** What was shown before stays until the next screen is loaded; a test that does not wait would act on it. */
const isScreenShown = `(() => {
  const router = globalThis.__TSR_ROUTER__;
  return router?.state.status === 'idle' && router.state.resolvedLocation?.href === router.latestLocation.href;
})()`;

/** Waits until the page shows the screen of its address. */
const screenShown = (page: Page): Promise<unknown> =>
  eventually(() => page.evaluate(isScreenShown), { what: 'the screen of the address' });

/** A refused request is an answer that the page shows; its line in the log is not a fault. */
const refusedRequest =
  /^Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED)/;

function watch(page: Page, baseUrl: string, faults: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' && !refusedRequest.test(message.text())) faults.push(`log: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(baseUrl) && !/^(data|blob):/.test(url)) faults.push(`request: ${url}`);
  });
}
