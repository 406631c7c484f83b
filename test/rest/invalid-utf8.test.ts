import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
let token: string;

beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await app.signUp());
});
afterAll(() => app.close());

const invalid = (before: string, after: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)]));

test.each([
  ['/v1/agents', invalid('{"name":"A', '","instructions":"x"}')],
  ['/graphql', invalid('{"query":"{ exploreAgents(q: \\"', '\\") { total } }"}')],
  ['/graphql/stream', invalid('{"query":"subscription { events { id } } # ', '"}')],
])('%s rejects a JSON body that is not valid UTF-8', async (path, body) => {
  const response = await fetch(app.baseUrl + path, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: { code: 'invalid_request', message: 'The body is not valid UTF-8.' } },
  ]);
});
