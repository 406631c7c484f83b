import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createTestClock } from '../support/clock.ts';
import type { Account } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { runRecurring } from '../support/jobs.ts';
import { pathOf, picture, uploadImage } from '../support/images.ts';

let app: TestApp;
let owner: Account;
const clock = createTestClock(new Date());
beforeAll(async () => {
  app = await startTestApp({ clock });
  owner = await app.signUp({ plan: 'plus' });
});
afterAll(() => app.close());

const uploaded = async (fields?: object) => (await uploadImage(app, owner.token, await picture(200, 200), fields)).body;

describe('the public address of an image', () => {
  test('serves bytes that a browser treats only as a picture', async () => {
    const { urls } = await uploaded();
    const response = await app.send('GET', pathOf(urls.medium));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=86400, immutable',
    });
    const etag = response.headers.get('etag') ?? '';
    const again = await app.send('GET', pathOf(urls.medium), { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await app.send('HEAD', pathOf(urls.medium))).status).toBe(200);
  });

  test('is not found by its id, a guess, or another size', async () => {
    const { id, urls } = await uploaded({ kind: 'banner' });
    const large = pathOf(urls.large);
    const guesses = [
      large.replace('large', 'small'),
      large.replace('large', 'original'),
      large.replace('.webp', '.png'),
      `/images/${id}/large.webp`,
      `/images/${'A'.repeat(22)}/large.webp`,
      `/images/..%2f..%2fsecrets/large.webp`,
      `${large.slice(0, -12)}%00/large.webp`,
    ];
    const answers = await Promise.all(guesses.map((path) => app.call('GET', path)));
    expect(answers.map(({ status }) => status)).toEqual(guesses.map(() => 404));
    expect(new Set(answers.slice(3).map(({ body }) => JSON.stringify(body.error.code)))).toEqual(
      new Set(['"not_found"']),
    );
  });

  test('is counted against the address of the caller', async () => {
    const { urls } = await uploaded();
    const answers = [];
    for (let i = 0; i < 31; i++)
      answers.push(...(await Promise.all(Array.from({ length: 100 }, () => app.send('HEAD', pathOf(urls.small))))));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(2_900);
    expect(statuses).toContain(429);
  });
});

test('an image that is used nowhere is removed after seven days, one that is shown stays', async () => {
  const agent = await app.createAgent(owner.token);
  const [unused, applied, pasted] = [
    await uploaded(),
    await uploaded({ kind: 'avatar', agent_id: agent.id, apply: 'true' }),
    await uploaded(),
  ];
  await app.call('PUT', '/v1/auth/me', { as: owner.token, body: { avatar_url: pasted.urls.medium } });
  clock.advance(7 * 86_400_000 + 3_600_000);
  await runRecurring('service.remove-expired', () => app.app.newCtx({ kind: 'system' }));
  const ids = [unused.id, applied.id, pasted.id];
  const left = () => app.db.query('select id, expires_at from images where id = any ($1) order by id', [ids]);
  // The service's own worker may have claimed the task.
  await eventually(async () => (await left()).rows.length < ids.length);
  expect((await left()).rows).toEqual([
    { id: applied.id, expires_at: null },
    { id: pasted.id, expires_at: null },
  ]);
});
