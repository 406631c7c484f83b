import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { fetchImage, pathOf, picture, uploadImage } from '../support/images.ts';
import { withModerator } from '../support/moderators.ts';

let app: TestApp;
let desk: TestApp;
let moderator: Account;
let owner: Account;
let reader: Account;
beforeAll(async () => {
  app = await startTestApp();
  [moderator, owner, reader] = await Promise.all([app.signUp(), app.signUp({ plan: 'plus' }), app.signUp()]);
  desk = await withModerator(app, moderator);
});
afterAll(async () => {
  await desk.close();
  await app.close();
});

const report = (subject_id: string) =>
  app.call('POST', '/v1/reports', {
    as: reader.token,
    body: { subject_type: 'image', subject_id, reason: 'privacy' },
  });
const decide = async (subject_id: string, action: string, subject_type = 'image') =>
  expectStatus(
    await desk.call('POST', '/v1/moderation/decisions', {
      as: moderator.token,
      body: { subject_type, subject_id, action, reason: 'privacy', statement: 'It shows a stranger.' },
    }),
    201,
  ).body;

const picturePath = (type: string, id: string) => `/v1/moderation/cases/${type}/${id}/picture`;

describe('the picture of a case', () => {
  test('is readable by moderators after it was removed, and each access is recorded', async () => {
    const image = expectStatus(await uploadImage(app, owner.token, await picture(600, 300)), 201).body;
    expectStatus(await report(image.urls.large), 201);
    const published = await fetchImage(app, image.urls.large);
    await decide(image.id, 'remove');
    const path = picturePath('image', image.id);
    const response = await desk.send('GET', path, { as: moderator.token });
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(published);
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const { body } = await desk.call('GET', path.replace('/picture', ''), { as: moderator.token });
    expect(pathOf(body.subject.picture_url)).toBe(path);
    const log = await app.call('GET', '/v1/auth/audit-log', { as: moderator.token });
    const actions = log.body.data.map(({ action }: { action: string }) => action);
    expect(actions.slice(0, 2)).toEqual(['moderation.case_viewed', 'moderation.picture_viewed']);
    expect(log.body.data[1].subject).toBe(`image:${image.id}`);
  });

  test('of a removed agent is its avatar', async () => {
    const avatar = expectStatus(await uploadImage(app, owner.token, await picture(300, 300)), 201).body;
    const agent = await app.createAgent(owner.token, { is_public: true, avatar_url: avatar.urls.large });
    await decide(agent.id, 'remove', 'agent');
    const response = await desk.send('GET', picturePath('agent', agent.id), { as: moderator.token });
    expect(response.headers.get('content-type')).toBe('image/webp');
  });

  test('does not exist for anyone else, for API keys, or without a case', async () => {
    const image = expectStatus(await uploadImage(app, owner.token, await picture(300, 300)), 201).body;
    const path = picturePath('image', image.id);
    expect((await desk.send('GET', path, { as: moderator.token })).status).toBe(404);
    expectStatus(await report(image.urls.large), 201);
    const key = await app.call('POST', '/v1/auth/api-keys', {
      as: moderator.token,
      body: { name: 'k', scopes: ['account:write', 'images:write'] },
    });
    for (const as of [owner.token, reader.token, key.body.key as string])
      expect((await desk.send('GET', path, { as })).status).toBe(404);
    expect((await desk.send('GET', path)).status).toBe(401);
    expect((await app.send('GET', path, { as: moderator.token })).status).toBe(404);
    expect((await desk.send('GET', path, { as: moderator.token })).status).toBe(200);
  });
});

test.each(['avatar', 'banner'])(
  'a removed %s is not served and cannot be shown, until an appeal restores it',
  async (kind) => {
    const image = expectStatus(await uploadImage(app, owner.token, await picture(600, 300), { kind }), 201).body;
    const served = async () => (await app.send('GET', pathOf(image.urls.large))).status;
    const show = () => app.call('POST', `/v1/images/${image.id}/apply`, { as: owner.token, body: { profile: true } });
    const showByAddress = () =>
      app.call('PUT', '/v1/social/profile', { as: owner.token, body: { banner_url: image.urls.large } });

    expect((await report(image.id)).status).toBe(404);
    expect(expectStatus(await report(image.urls.large), 201).body.subject_id).toBe(image.id);
    const { id } = await decide(image.id, 'remove');
    expect(await served()).toBe(404);
    const { status, body } = await show();
    expect([status, body.error.message]).toEqual([409, 'Moderators removed this image, so it cannot be shown.']);
    expect((await showByAddress()).status).toBe(400);

    const appeal = { as: owner.token, body: { text: 'They agreed.' } };
    expectStatus(await app.call('POST', `/v1/moderation/decisions/${id}/appeal`, appeal), 200);
    await decide(image.id, 'restore');
    expect(await served()).toBe(200);
    expectStatus(await show(), 200);
    if (kind === 'banner') expectStatus(await showByAddress(), 200);
  },
);
