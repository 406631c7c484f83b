import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/app/commands.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { madeImage, pathOf, picture, uploadImage } from '../support/images.ts';
import { mailWith } from '../support/outbox.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { IMAGE_MODEL: 'dall-e-3' } });
});
afterAll(() => app.close());

const takeDown = (...args: string[]) =>
  commands['take-down-image']?.(
    { PROFILE: 'embedded', DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir, PORT: '0', LOG_LEVEL: 'silent' },
    args,
    new AbortController().signal,
  );

/** Creates an agent and a profile that use an uploaded picture. */
async function shown(owner: Account) {
  const agent = await app.createAgent(owner.token, { name: 'Ada', instructions: 'You are a tutor.', is_public: true });
  const { body } = await uploadImage(app, owner.token, await picture(300, 300));
  for (const place of [{ agent_id: agent.id }, { profile: true }])
    expectStatus(await app.call('POST', `/v1/images/${body.id}/apply`, { as: owner.token, body: place }), 200);
  return { agentId: agent.id as string, id: body.id as string, url: body.urls.medium as string };
}

describe('take-down-image', () => {
  test('removes a picture with its files from everywhere, and tells its owner why', async () => {
    const owner = await app.signUp();
    const { agentId, id, url } = await shown(owner);
    const folder = join(app.dataDir, 'files', 'images', id);
    expect([(await app.send('GET', pathOf(url))).status, existsSync(folder)]).toEqual([200, true]);

    await takeDown(url, 'It shows a person who did not agree.');
    expect((await app.send('GET', pathOf(url))).status).toBe(404);
    expect(existsSync(folder)).toBe(false);
    expect((await app.call('GET', `/v1/images/${id}`, { as: owner.token })).status).toBe(404);
    const get = async (path: string) => (await app.call('GET', path, { as: owner.token })).body;
    expect((await get(`/v1/agents/${agentId}`)).avatar_url).toBeNull();
    expect((await get('/v1/auth/me')).avatar_url).toBeNull();
    const mail = await mailWith(app, owner.email, 'A picture of yours was taken down');
    expect(mail.text).toContain('It shows a person who did not agree.');
    expect((await get('/v1/auth/audit-log')).data[0]).toMatchObject({ action: 'image.taken_down', subject: id });
  });

  test('takes an id, also of an account that is about to be deleted', async () => {
    const owner = await app.signUp();
    const { id, url } = await shown(owner);
    expectStatus(await app.call('DELETE', '/v1/auth/me', { as: owner.token }), 200);
    await takeDown(id, 'A court ordered it.');
    expect((await app.db.query('select 1 from images where id = $1', [id])).rowCount).toBe(0);
    expect((await app.send('GET', pathOf(url))).status).toBe(404);
  });

  test('reports missing arguments', async () => {
    await expect(takeDown('img_1')).rejects.toThrow('take-down-image ADDRESS "REASON"');
    await expect(takeDown('http://localhost/images/x/small.webp', 'Why not.')).rejects.toThrow('There is no image');
  });
});

test('a model unknown to the provider fails the image, which is not counted', async () => {
  const owner = await app.signUp();
  const { status, body } = await app.call('POST', '/v1/images', {
    as: owner.token,
    body: { kind: 'avatar', prompt: 'A friendly owl.' },
  });
  expect(status).toBe(202);
  const failed = await madeImage(app, owner.token, body.data[0].id);
  expect(failed).toMatchObject({ status: 'failed', urls: null, error: { code: 'upstream_error' } });
  expect(failed.error.message).not.toMatch(/dall-e/);
  const { rows } = await app.db.query('select images from usage_counters where user_id = $1', [owner.id]);
  expect(rows[0]?.images ?? 0).toBe(0);
});
