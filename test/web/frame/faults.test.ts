import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';
import { tutor } from '../../support/chat-page.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await shareConsole();
});
// Each test causes errors, which the page logs and shows.
afterEach(() => app.expectNoFaults(/^(log|error): /));
afterAll(() => app.close());

describe('a screen that fails', () => {
  const broken = async (page: Page, body: string) => {
    const headers = { 'x-request-id': 'req_of_this_test' };
    await page.route('**/graphql', async (route) => {
      const isExplore = route.request().postData()?.includes('query ExploredAgent');
      await (isExplore
        ? route.fulfill({ status: 200, contentType: 'application/json', headers, body })
        : route.fallback());
    });
  };
  const refused = { errors: [{ message: 'The service broke.', extensions: { code: 'INTERNAL_ERROR' } }] };

  test.each([
    ['refused', refused, 'The service broke.'],
    ['thrown', { data: { agent: null } }, 'Something went wrong on this page.'],
  ])('%s: says so, and the frame works', async (cause, body, words) => {
    const page = await app.visitSignedIn('/chat');
    const created = await app.createAgent(page.token, { ...tutor, is_public: true });
    await broken(page, JSON.stringify(body));
    await page.goto(`/explore/${created.id}`);
    await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();
    await page.getByText(words).waitFor();
    if (cause === 'refused') await page.getByText('req_of_this_test').waitFor();
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  });

  test('of something that does not exist: says that there is no such page', async () => {
    const page = await app.visitSignedIn('/chat/conv_none');
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });
});

test('creating a key again after its answer was cut returns the same key', async () => {
  const page = await app.visitSignedIn('/api-keys');
  const isCreation = (body: string | null) => body?.includes('mutation CreateApiKey') === true;
  let isCut = false;
  await page.route('**/graphql', async (route) => {
    if (isCut || !isCreation(route.request().postData())) return route.fallback();
    isCut = true;
    await route.fetch();
    return route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'New key' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Once');
  await page.getByRole('button', { name: 'Read everything' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('dialog').getByText('The service can’t be reached.').waitFor();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  const { body } = await app.call('GET', '/v1/auth/api-keys', { as: page.token });
  expect(body.data).toHaveLength(1);
});

const submitTwice = `{
  const form = document.querySelector('[role="dialog"] form');
  form.requestSubmit();
  form.requestSubmit();
}`;

test('two submits in one event create one key, and one room', async () => {
  const page = await app.visitSignedIn('/api-keys');
  await page.getByRole('button', { name: 'New key' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Once');
  await page.getByRole('button', { name: 'Read everything' }).click();
  await page.evaluate(submitTwice);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  const { body: keys } = await app.call('GET', '/v1/auth/api-keys', { as: page.token });
  expect(keys.data).toHaveLength(1);
  await page.goto('/rooms');
  await page.getByRole('button', { name: 'New room' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('Once');
  await page.evaluate(submitTwice);
  await page.getByRole('heading', { level: 1, name: 'Once' }).waitFor();
  const { body: rooms } = await app.call('GET', '/v1/rooms', { as: page.token });
  expect(rooms.data).toHaveLength(1);
});
