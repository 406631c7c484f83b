import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { madeImage } from '../support/images.ts';

let app: TestApp;
let owner: Account;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.model.reset();
  owner = await app.signUp({ plan: 'plus' });
});

const make = (body: object, headers: Record<string, string> = {}) =>
  app.call('POST', '/v1/images', { as: owner.token, body, headers });
const owl = { kind: 'avatar', prompt: 'A friendly owl.' };
const imagesOfToday = async (): Promise<number> =>
  (await app.db.query('select images from usage_counters where user_id = $1', [owner.id])).rows[0]?.images ?? 0;
const providerCalls = () => app.model.requests.filter(({ path }) => path === '/v1/images/generations');

describe('limits of image generation', () => {
  test('the daily limit of a plan returns 429 until UTC midnight', async () => {
    const free = await app.signUp();
    const { body } = await app.call('POST', '/v1/images', { as: free.token, body: { ...owl, count: 3 } });
    const answer = await app.call('POST', '/v1/images', { as: free.token, body: owl });
    expect([answer.status, answer.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    for (const { id } of body.data) await madeImage(app, free.token, id);
  });

  test('as many failed images a day are refunded as the plan allows, which bounds the calls of the provider', async () => {
    owner = await app.signUp();
    const fail = async () => {
      const { status, body } = await make({ kind: 'avatar', prompt: 'Nothing good. [[refuse]]', count: 3 });
      for (const { id } of body.data ?? []) await madeImage(app, owner.token, id);
      return [status, await imagesOfToday()];
    };
    expect([await fail(), await fail(), await fail()]).toEqual([
      [202, 0],
      [202, 3],
      [429, 3],
    ]);
    expect(providerCalls()).toHaveLength(6);
  });

  test('an image that is deleted before its generation starts is always refunded', async () => {
    const open = Promise.withResolvers<void>();
    app.model.script({ endpoint: 'images', gate: open.promise, times: 2 });
    await make({ ...owl, count: 3 });
    await app.db.query('update usage_counters set image_refunds = 20 where user_id = $1', [owner.id]);
    const { rows } = await app.db.query('select id from images where owner_id = $1 and started_at is null', [owner.id]);
    expect(rows).toHaveLength(1);
    expectStatus(await app.call('DELETE', `/v1/images/${rows[0].id}`, { as: owner.token }), 200);
    expect(await imagesOfToday()).toBe(2);
    open.resolve();
  });

  test('the number of images that a plan stores returns 403 when it is reached', async () => {
    await app.db.query(
      `insert into images (id, owner_id, kind, source, status, token, created_at)
       select 'img_' || gen_random_uuid(), $1, 'avatar', 'uploaded', 'ready', 'token' || n || $1, now() from generate_series(1, 200) n`,
      [owner.id],
    );
    expect((await make(owl)).body.error.code).toBe('plan_limit_exceeded');
    expect(await imagesOfToday()).toBe(0);
  });

  test('an account may send 10 requests a minute, invalid ones included', async () => {
    const limited = await startTestApp({
      databaseUrl: app.databaseUrl,
      env: { RATE_LIMITS: '{}', DATA_DIR: app.dataDir },
    });
    try {
      const calls = await Promise.all(
        Array.from({ length: 11 }, () =>
          limited.call('POST', '/v1/images', { as: owner.token, body: { kind: 'avatar' } }),
        ),
      );
      expect(calls.filter(({ status }) => status === 400)).toHaveLength(10);
      expect(calls.filter(({ status }) => status === 429)).toHaveLength(1);
    } finally {
      await limited.close();
    }
  });
});
