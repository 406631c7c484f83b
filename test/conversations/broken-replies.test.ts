import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';

let app: TestApp;
let ada: Account;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());
beforeEach(() => app.model.reset());

const begin = async (): Promise<string> => (await app.createConversation(ada.token)).id;
const send = (id: string, content: string, headers: Record<string, string> = {}) =>
  app.call('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body: { content }, headers });
const messagesOf = async (id: string) => {
  const list = await app.call('GET', `/v1/conversations/${id}/messages`, { as: ada.token });
  return expectStatus(list, 200).body.data.toReversed();
};
const sentToday = async (): Promise<number> =>
  expectStatus(await app.call('GET', '/v1/billing/usage', { as: ada.token }), 200).body.messages_sent;

describe('a reply that shows nothing', () => {
  test.each([[[' ', '\n\t']], [['\u200b', '\u2063']], [['\u3164']]])('fails and is refunded: %j', async (deltas) => {
    const id = await begin();
    const before = await sentToday();
    app.model.script({ when: 'Say nothing', deltas });
    const { body } = expectStatus(await send(id, 'Say nothing'), 502);
    expect(body.error).toMatchObject({ code: 'upstream_error', message: expect.stringContaining('empty reply') });
    expect((await messagesOf(id)).at(-1)).toMatchObject({ role: 'user', content: 'Say nothing' });
    expect(await sentToday()).toBe(before);
  });
});
