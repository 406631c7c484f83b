import type { Browser, BrowserContextOptions, CDPSession, Disposable, Page } from 'playwright-core';

export interface Pages {
  open(options: PageOptions): Promise<Page>;
  /** Clears a page for the next test, or closes it if a test made changes that cannot be undone. */
  release(page: Page): Promise<void>;
  close(): Promise<void>;
}

export type PageOptions = Omit<BrowserContextOptions, 'baseURL'>;

/** A page of the service without scripts. */
export const emptyPath = '/robots.txt';

interface Opened {
  kind: string;
  devtools: CDPSession;
  changes: Changes;
}

/**
 * Creates a pool of pages for one service. A pooled page loads the console in half the processor time of a new one, whose
 * process has to read and compile every script again.
 */
export function createPages(browser: Browser, baseURL: string, faults: string[]): Pages {
  const free = new Map<string, Page[]>();
  const opened = new Map<Page, Opened>();
  const used = new Set<Page>();
  const openNew = async (kind: string, options: PageOptions): Promise<Page> => {
    const context = await browser.newContext({ baseURL, ...options });
    // Tabs that a test or the console opens, too.
    context.on('page', (tab) => noteFaults(tab, baseURL, (fault) => used.has(page) && faults.push(fault)));
    const page = await context.newPage();
    page.setDefaultTimeout(40_000);
    const devtools = await context.newCDPSession(page);
    opened.set(page, { kind, devtools, changes: noteChanges(page) });
    return page;
  };
  const discard = async (page: Page): Promise<void> => {
    opened.delete(page);
    await page.context().close();
  };
  return {
    async open({ viewport, colorScheme = 'light', reducedMotion, ...fixed }) {
      const kind = JSON.stringify(fixed);
      const page = free.get(kind)?.pop() ?? (await openNew(kind, { viewport, ...fixed }));
      if (viewport) await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion, forcedColors: 'none', contrast: 'no-preference' });
      used.add(page);
      return page;
    },
    async release(page) {
      used.delete(page);
      const known = opened.get(page);
      if (!known || known.changes.areLasting || page.isClosed()) return discard(page);
      for (const undo of known.changes.undo.splice(0)) await undo();
      await empty(page, known.devtools, baseURL);
      free.set(known.kind, [...(free.get(known.kind) ?? []), page]);
    },
    async close() {
      await Promise.all([...opened.keys()].map(discard));
      free.clear();
    },
  };
}

/** What a test changes in a page, besides what `empty` clears. */
interface Changes {
  /** One of them can't be undone. */
  areLasting: boolean;
  undo: (() => unknown)[];
}

function noteChanges(page: Page): Changes {
  const changes: Changes = { areLasting: false, undo: [] };
  const keep = (): void => {
    changes.areLasting = true;
  };
  noteCalls(page.clock, 'install', keep);
  noteCalls(page, 'routeWebSocket', keep);
  noteCalls(page, 'once', keep);
  noteCalls(page, 'exposeBinding', keep);
  noteCalls(page, 'exposeFunction', keep);
  noteCalls(page, 'on', (_, event, listener) =>
    changes.undo.push(() => page.off(event as 'load', listener as () => void)),
  );
  noteCalls(page, 'addInitScript', (script) =>
    changes.undo.push(async () => (await (script as Promise<Disposable>)).dispose()),
  );
  noteCalls(page.context(), 'newCDPSession', (session) =>
    changes.undo.push(async () => (await (session as Promise<CDPSession>)).detach()),
  );
  return changes;
}

/** Calls `note` with the result and the arguments of each call of a method. */
function noteCalls<Name extends string>(
  object: Record<Name, unknown>,
  name: Name,
  note: (result: unknown, ...input: unknown[]) => void,
): void {
  const original = object[name] as (...input: unknown[]) => unknown;
  Object.assign(object, {
    [name](...input: unknown[]) {
      const result = original.apply(object, input);
      note(result, ...input);
      return result;
    },
  });
}

/** Leaves the console, which ends its subscriptions, and deletes cookies and storage. The process of the page is kept. */
async function empty(page: Page, devtools: CDPSession, baseURL: string): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await context.clearPermissions();
  await page.goto(emptyPath);
  // Not before: the console may still store what arrives.
  await page.evaluate('sessionStorage.clear()');
  await devtools.send('Storage.clearDataForOrigin', { origin: new URL(baseURL).origin, storageTypes: 'all' });
  await devtools.send('Network.clearBrowserCookies');
  await devtools.send('Page.resetNavigationHistory');
}

/** Matches the browser's log lines about refused requests: no faults, because the page reports them to the user. */
const refusedRequest =
  /^Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED)/;

function noteFaults(page: Page, baseUrl: string, note: (fault: string) => void): void {
  page.on('console', (message) => {
    if (message.type() === 'error' && !refusedRequest.test(message.text())) note(`log: ${message.text()}`);
  });
  page.on('pageerror', (error) => note(`error: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(baseUrl) && !/^(data|blob):/.test(url)) note(`request: ${url}`);
  });
}
