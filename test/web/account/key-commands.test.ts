import { afterAll, beforeAll, expect, test } from 'vitest';
import { readablePath, scopeName, scopes } from '../../../web/src/api-keys/scopes.ts';
import { type ConsoleApp, shareConsole } from '../../support/browser.ts';

let service: ConsoleApp;
beforeAll(async () => {
  service = await shareConsole();
});
afterAll(() => service.close());

test('the command that is shown with a new API key is permitted by each of its scopes alone', async () => {
  const ada = await service.signUp();
  for (const scope of scopes) {
    const body = { name: 'ci', scopes: [scopeName(scope)] };
    const { body: created } = await service.call('POST', '/v1/auth/api-keys', { as: ada.token, body });
    const path = readablePath([scope]);
    expect([path, (await service.call('GET', path, { as: created.key })).status]).toEqual([path, 200]);
  }
});
