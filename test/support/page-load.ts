import { existsSync, readdirSync, statSync } from 'node:fs';
import type { Locator, Page, Request } from 'playwright-core';
import { printIfFailed } from './browser.ts';
import { emptyPath } from './pages.ts';

const folder = 'dist/web';
const isCode = (path: string): boolean => /\.(js|css)$/.test(path);

/** Compressed size in kB of 1,000 bytes. */
const kilobytes = (path: string): number =>
  statSync(`${folder}${existsSync(`${folder}${path}.br`) ? `${path}.br` : path}`).size / 1_000;

/** Returns the compressed size of files of the built console in kB. */
export const totalSize = (paths: Iterable<string>): number =>
  Array.from(paths).reduce((sum, path) => sum + kilobytes(path), 0);

/** Returns the paths of the scripts and styles of the built console whose names match. */
export const builtCode = (name: RegExp): string[] =>
  readdirSync(`${folder}/assets`)
    .filter((file) => isCode(file) && name.test(file))
    .map((file) => `/assets/${file}`);

/** Scripts and styles that each signed-in screen loads. */
export const frameCode = (): string[] => ['/theme.js', ...builtCode(/^(rolldown-runtime|api|early|start|frame)-/)];

export interface PageLoad {
  status: number | undefined;
  /** Paths of scripts and styles. */
  code: Set<string>;
  /** Requests to the service until the element was attached. */
  calls: number;
  /** Everything that was requested until then, in order: paths, and the names of GraphQL operations. */
  requests: string[];
}

/** Opens a path and returns what the page loads until it has an element. */
export async function loadPage(page: Page, path: string, element: Locator): Promise<PageLoad> {
  printIfFailed(page);
  // What the page before still loads is not counted.
  await page.goto(emptyPath);
  const requested: string[] = [];
  const requests: string[] = [];
  const note = (request: Request): void => {
    const called = new URL(request.url()).pathname;
    requested.push(called);
    requests.push(/(?:query|mutation) (\w+)/.exec(request.postData() ?? '')?.[1] ?? called);
  };
  page.on('request', note);
  const response = await page.goto(path);
  await element.waitFor({ state: 'attached' });
  page.off('request', note);
  const calls = requested.filter((called) => /^\/(graphql|v1|session)/.test(called)).length;
  return { status: response?.status(), code: new Set(requested.filter(isCode)), calls, requests };
}
