import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Account } from '../support/client.ts';

let app: TestApp;
let ada: Account;
let path: string;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp();
  path = `/v1/knowledge/${(await app.createAgent(ada.token)).id}/documents`;
});
afterAll(() => app.close());

const start =
  '--abc\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n';

test.each([
  ['without a boundary', 'multipart/form-data', 'x'],
  ['that is no form', 'multipart/form-data; boundary=abc', 'garbage'],
  ['that ends inside of its headers', 'multipart/form-data; boundary=abc', '--abc\r\ncontent-disposition: form'],
  ['that ends inside of its file', 'multipart/form-data; boundary=abc', `${start}half of a docu`],
])('a form %s is refused as invalid and leaves nothing', async (_, type, body) => {
  const answer = await app.call('POST', path, { as: ada.token, body, headers: { 'content-type': type } });
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
  expect((await app.call('GET', path, { as: ada.token })).body.total).toBe(0);
});
