import { existsSync, readdirSync, statSync } from 'node:fs';
import type { Locator, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterEach(() => app.expectNoFaults());
afterAll(() => app.close());

const folder = 'dist/web';
const isCode = (path: string) => /\.(js|css)$/.test(path);
/** Compressed size in kB of 1,000 bytes. */
const kilobytes = (path: string) =>
  statSync(`${folder}${existsSync(`${folder}${path}.br`) ? `${path}.br` : path}`).size / 1_000;
const total = (paths: Iterable<string>) => Array.from(paths).reduce((sum, path) => sum + kilobytes(path), 0);

interface Load {
  /** Scripts and styles. */
  code: Set<string>;
  /** Requests to the service until the element was shown. */
  calls: number;
}

/** Returns what a page loads until it shows an element. */
async function loadOf(page: Page, path: string, shown: Locator): Promise<Load> {
  const requested: string[] = [];
  const note = (request: Request) => requested.push(new URL(request.url()).pathname);
  page.on('request', note);
  await page.goto(path);
  await shown.waitFor({ state: 'attached' });
  page.off('request', note);
  const code = new Set(requested.filter(isCode));
  return { code, calls: requested.filter((path) => /^\/(graphql|v1|session)/.test(path)).length };
}

describe('scripts and styles, compressed', () => {
  test.each([
    ['/', 'Create an account'],
    ['/sign-in', 'Create an account'],
    ['/sign-up', 'Sign in'],
  ])('of %s are at most 105 kB', async (path, link) => {
    const page = await app.visit('/robots.txt');
    const { code } = await loadOf(page, path, page.getByRole('link', { name: link }).first());
    expect(total(code)).toBeLessThanOrEqual(105);
  });

  test('of a conversation are at most 200 kB in 13 files, and any other screen adds at most 60 kB to the frame', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const agent = { name: 'Ada', instructions: 'You are a tutor.', is_public: true };
    const { id, agent_id: agentId } = await app.createConversation(page.token, agent);
    const composer = page.getByRole('textbox', { name: 'Message', exact: true });
    const conversation = await loadOf(page, `/chat/${id}`, composer);
    expect(total(conversation.code)).toBeLessThanOrEqual(200);
    expect(conversation.code.size).toBeLessThanOrEqual(13);
    expect(conversation.calls).toBeLessThanOrEqual(10);
    const frame = total(
      [...conversation.code].filter((path) => /\/(theme|rolldown-runtime|api|early|start|frame)[-.]/.test(path)),
    );
    for (const path of [
      '/agents',
      '/explore',
      '/marketplace',
      '/feed',
      '/me/likes',
      '/me/followers',
      '/search',
      '/webhooks',
      '/integrations',
      '/api-keys',
      '/events',
      '/studio',
    ].concat(
      ['profile', 'security', 'sharing', 'reports', 'billing', 'data', 'preferences'].map(
        (name) => `/settings/${name}`,
      ),
      ['knowledge', 'listing', 'versions', 'experiments', 'analytics'].map((name) => `/agents/${agentId}/${name}`),
    )) {
      const { code, calls } = await loadOf(page, path, page.getByRole('heading', { level: 1 }));
      expect([path, total(code) - frame <= 60, code.size <= 16, calls <= 12]).toEqual([path, true, true, true]);
    }
  });

  test('of a conversation are all named by its page, so that none waits for another', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await app.createConversation(page.token, { name: 'Ada', greeting_message: 'Hello!' });
    const source = await (await app.send('GET', `/chat/${id}`, { headers: { accept: 'text/html' } })).text();
    const { code } = await loadOf(page, `/chat/${id}`, page.getByText('Hello!'));
    const isNamed = (path: string) => source.includes(path) || /assets\/(rolldown-runtime|start)-/.test(path);
    expect([...code].filter((path) => !isNamed(path))).toEqual([]);
  });

  test('of a conversation load while its messages are requested, each once', async () => {
    const page = await app.visitSignedIn('/robots.txt');
    const { id } = await app.createConversation(page.token, { name: 'Ada', greeting_message: 'Hello!' });
    const sent: string[] = [];
    page.on('request', (request) => {
      const operation = /query (Me|Conversation|Messages)\b/.exec(request.postData() ?? '')?.[1];
      if (operation !== undefined || request.url().endsWith('/session/refresh')) sent.push(operation ?? 'refresh');
    });
    const all = ['Conversation', 'Me', 'Messages', 'refresh'];
    await page.route(/\/assets\/start-.*\.js$/, async (route) => {
      await eventually(() => sent.length === all.length, { what: 'requests before the scripts' });
      await route.continue();
    });
    await page.goto(`/chat/${id}`);
    await page.getByText('Hello!').waitFor();
    expect(sent.toSorted()).toEqual(all);
  });

  test('of everything are at most 600 kB', () => {
    const paths = readdirSync(`${folder}/assets`).map((name) => `/assets/${name}`);
    expect(total(paths.filter(isCode))).toBeLessThanOrEqual(600);
  });
});
