import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.close());

const create = (as: string) =>
  service.call('POST', '/v1/auth/api-keys', { as, body: { name: 'ci', scopes: ['agents:read'] } });
const rotate = (as: string, id: string, overlap: number) =>
  service.call('POST', `/v1/auth/api-keys/${id}/rotate`, { as, body: { overlap_seconds: overlap } });

describe('POST /v1/auth/api-keys', () => {
  test('creates at most 100 working keys an account, however many requests run at once', async () => {
    const ada = await service.signUp();
    await service.db.query(
      `insert into api_keys (id, user_id, name, hash, key_hint, scopes, created_at)
       select 'key_' || n, $1, 'k', sha256(n::text::bytea), 'ak_', '{agents:read}', now() from generate_series(1, 96) n`,
      [ada.id],
    );
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(ada.token)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array(4).fill(201),
      ...Array(4).fill(403),
    ]);
    const refused = answers.find(({ status }) => status === 403);
    expect(refused?.body.error).toMatchObject({ code: 'plan_limit_exceeded' });
    const id: string = answers.find(({ status }) => status === 201)?.body.id;
    expect((await rotate(ada.token, id, 60)).status).toBe(403);
    const successor = expectStatus(await rotate(ada.token, id, 0), 201).body;
    expectStatus(await service.call('DELETE', `/v1/auth/api-keys/${successor.id}`, { as: ada.token }), 200);
    expectStatus(await create(ada.token), 201);
  });
});
