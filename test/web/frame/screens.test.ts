import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../../src/app/features.ts';
import { findings } from '../../support/accessibility.ts';
import { type ConsoleApp, go, shareConsole, type SignedInPage } from '../../support/browser.ts';
import { consoleRoutes } from '../../support/console-routes.ts';
import { pathWithCurl } from '../../support/curl.ts';
import { furnishAccount, type Screen } from '../../support/furnished-account.ts';
import { fitsWidth, outside, small, zooming } from '../../support/layout.ts';
import { frameCode, loadPage, totalSize } from '../../support/page-load.ts';
import { settled } from '../../support/settled.ts';

const run = promisify(execFile);
/** Viewport of 1280 by 1024 pixels at 400 % zoom. */
const zoomed = { width: 320, height: 256 };
const phone = { colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

let app: ConsoleApp;
let page: SignedInPage;
let screens: Screen[];
beforeAll(async () => {
  app = await shareConsole();
  page = await app.staySignedIn();
  screens = await furnishAccount(app, page);
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

/** Screens with a thread, a composer or an open dialog, which may load 120 kB on top of the frame instead of 60. */
const hasMore = /^\/(chat|rooms\/[^/]+|explore\/.+|agents\/new|agents\/.+\/edit)$|^\/chat\/|[?](connect|delivery)=/;

/** Routes that an account with one of everything does not reach, which the tests of visitors and moderators look at. */
const lookedAtElsewhere = [
  '/',
  '/account-deleted',
  '/forgot-password',
  '/moderation',
  '/moderation/$subjectType/$subjectId',
  '/moderation/featured',
  '/reset-password',
  '/restore-account',
  '/rooms/join',
  '/share/$token',
  '/sign-in',
  '/sign-up',
  '/verify-email',
];

const sameApi = 'The same with the API';

/** Returns the command that a screen shows. */
async function commandOf(command: Screen['command']): Promise<string> {
  if (command === 'menu') {
    await page.getByRole('button', { name: 'Conversation menu' }).click();
    await page.getByRole('menuitem', { name: sameApi }).click();
  } else await page.getByRole('button', { name: sameApi }).click();
  return page.locator('pre[aria-label=Command]').innerText();
}

type Faults = Record<string, unknown>;

/** Returns faults of a page that do not depend on the viewport. */
const faultsOf = async (shown: Page): Promise<Faults> => ({
  accessibility: await findings(shown),
  animations: await shown.evaluate('document.getAnimations().length'),
  fits: await shown.evaluate(fitsWidth),
});

/** Returns faults of a page on a desktop, at 100 % and at 400 % zoom. */
async function desktopFaultsOf(shown: Page): Promise<Faults> {
  const faults = await faultsOf(shown);
  const size = shown.viewportSize();
  await shown.setViewportSize(zoomed);
  const zoomedFaults = { outside: await shown.evaluate(outside), fitsZoomed: await shown.evaluate(fitsWidth) };
  if (size) await shown.setViewportSize(size);
  return { ...faults, ...zoomedFaults };
}

const phoneFaultsOf = async (shown: Page): Promise<Faults> => ({
  ...(await faultsOf(shown)),
  smallTargets: await shown.evaluate(small),
  zooming: await shown.evaluate(zooming),
});

const faultless = { accessibility: [], animations: 0, fits: true };
const desktopFaultless = { ...faultless, outside: [], fitsZoomed: true };
const phoneFaultless = { ...faultless, smallTargets: [], zooming: [] };

/** Returns a function that checks what a page shows, and the faults that it has found. */
function findFaults(
  shown: Page,
  faultsOfPage: (shown: Page) => Promise<Faults>,
  none: Faults,
): { check: (what: string) => Promise<void>; found: Faults } {
  const found: Faults = {};
  const check = async (what: string): Promise<void> => {
    await settled(shown);
    const faults = await faultsOfPage(shown);
    if (JSON.stringify(faults) !== JSON.stringify(none)) found[what] = faults;
  };
  return { check, found };
}

/** Opens each dialog and menu that only a click shows, and calls `check`. */
async function openParts(shown: Page, check: (what: string) => Promise<void>): Promise<void> {
  const pathOf = (end: string): string => screens.find(({ path }) => path.endsWith(end))?.path ?? '';
  await go(shown, pathOf('/versions'));
  await shown.getByRole('button', { name: 'Compare' }).click();
  await shown.getByText('Be thorough.').waitFor();
  await check('versions, compared');
  await go(shown, pathOf('/experiments'));
  await shown.getByText('Too early to tell.').waitFor();
  await check('a running experiment');
  await go(shown, pathOf('/analytics'));
  await shown.getByRole('region', { name: 'Breakdown of the figures' }).waitFor();
  await shown.getByText('Show the reply').click();
  await check('figures, with a shared reply open');
  const dialogs = [
    ['/webhooks', 'New webhook'],
    ['/api-keys', 'New key'],
    ['/embeds', 'New embed'],
    ['/rooms', 'New room'],
    [pathOf('/edit'), 'Full screen'],
    ['/settings/data', 'Delete the account'],
  ] as const;
  for (const [path, button] of dialogs) {
    await go(shown, path);
    await shown.getByRole('button', { name: button, exact: true }).click();
    const dialog = shown.getByRole('dialog').or(shown.getByRole('alertdialog'));
    await dialog.waitFor();
    await check(`${path}, ${button}`);
    await shown.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
}

test('every route of the router is looked at', () => {
  const isShown = (route: string): boolean => {
    const pattern = new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`);
    return screens.some(({ path }) => pattern.test(path.replace(/[?#].*/, '')));
  };
  expect(
    consoleRoutes()
      .filter((route) => !isShown(route))
      .toSorted(),
  ).toEqual(lookedAtElsewhere);
});

/** Opens a screen cold, and returns what is wrong with how it opened; null when nothing is. */
async function openCold({ path, heading }: Screen): Promise<unknown> {
  // An open dialog hides it.
  const name = page.getByRole('heading', { level: 1, name: heading, exact: true, includeHidden: true });
  const load = await loadPage(page, path, name);
  await settled(page);
  const headings = await page.getByRole('heading', { level: 1, includeHidden: true }).count();
  // Charts follow once their figures are known, and the colors of code once it is shown.
  const code = [...load.code].filter((file) => !/\/(chart-canvas|highlight)-/.test(file));
  const added = totalSize(code) - totalSize(frameCode());
  const isLittle = added <= (hasMore.test(path) ? 120 : 60) && code.length <= 20 && load.calls <= 14;
  const title = await page.title();
  const isRight = load.status === 200 && headings === 1 && title === `${heading} · Agent Chat`;
  return isLittle && isRight ? null : { ...load, headings, title, added, files: code.length };
}

/** Runs the commands of screens as they were copied, and returns the answers of those that fail. */
async function runCommands(commands: Map<string, string>): Promise<Record<string, string>> {
  const key = { name: 'Everything', scopes: catalog.scopes };
  const { body } = await app.call('POST', '/v1/auth/api-keys', { as: page.token, body: key });
  const env = { ...process.env, PATH: await pathWithCurl(), KEY: body.key };
  const failed: Record<string, string> = {};
  for (const [path, command] of commands) {
    const { stdout } = await run('sh', ['-c', `${command} -sS`], { env });
    if (stdout === '' || /^\{"errors?":/.test(stdout)) failed[`${path}, command`] = `${command}\n${stdout}`;
  }
  return failed;
}

test('every screen opens cold with its own heading and title and little to load, has no finding and no animation, fits the window, at 400 % too, and shows a command of the API that works as it is copied', async () => {
  const commands = new Map<string, string>();
  const { check, found } = findFaults(page, desktopFaultsOf, desktopFaultless);
  for (const screen of screens) {
    const wrong = await openCold(screen);
    if (wrong) found[`${screen.path}, cold`] = wrong;
    await check(screen.path);
    if (screen.command !== 'none') commands.set(screen.path, await commandOf(screen.command));
  }
  await openParts(page, check);
  expect({ ...found, ...(await runCommands(commands)) }).toEqual({});
}, 600_000);

test('every screen has no finding and no animation in dark on a phone, fits it, its targets fit fingers, and none of its fields zooms in', async () => {
  const shown = await app.visitAs(page.visitor, '/chat', phone);
  const { check, found } = findFaults(shown, phoneFaultsOf, phoneFaultless);
  for (const { path } of screens) {
    await go(shown, path);
    await shown.waitForURL(`**${path}`);
    await check(path);
  }
  await openParts(shown, check);
  expect(found).toEqual({});
}, 600_000);
