import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { pathOf, picture, uploadImage } from '../support/images.ts';
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
const decide = async (subject_id: string, action: string) =>
  expectStatus(
    await desk.call('POST', '/v1/moderation/decisions', {
      as: moderator.token,
      body: { subject_type: 'image', subject_id, action, reason: 'privacy', statement: 'It shows a stranger.' },
    }),
    201,
  ).body;

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
