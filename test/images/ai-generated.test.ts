import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { madeImage, picture, uploadImage } from '../support/images.ts';

let app: TestApp;
let owner: Account;
let profile: string;
beforeAll(async () => {
  app = await startTestApp();
  owner = await app.signUp({ plan: 'plus' });
  profile = `/v1/users/${(await app.call('GET', '/v1/auth/me', { as: owner.token })).body.username}`;
});
afterAll(() => app.close());

const isMarked = async (path: string): Promise<boolean> => {
  const { body } = await app.call('GET', path);
  return (body.data ? body.data[0] : body).ai_generated;
};
/** Generates an image and applies it. */
async function show(kind: string, agentId?: string): Promise<string> {
  const body = { kind, prompt: 'Hills.', agent_id: agentId, apply: true };
  const { id } = expectStatus(await app.call('POST', '/v1/images', { as: owner.token, body }), 202).body.data[0];
  await madeImage(app, owner.token, id);
  return id;
}
const remove = (id: string) => app.call('DELETE', `/v1/images/${id}?force=true`, { as: owner.token });

test.each(['avatar', 'banner'])('listings and profiles say that a model made their %s', async (kind) => {
  const { id: agentId } = await app.createAgent(owner.token, { name: `With ${kind}`, is_public: true });
  const listing = `/v1/marketplace/agents/${agentId}`;
  await uploadImage(app, owner.token, await picture(300, 300), { kind, agent_id: agentId, apply: true });
  expect([await isMarked(listing), await isMarked(profile)]).toEqual([false, false]);
  const shown = [await show(kind, agentId), await show(kind)];
  expect([await isMarked(listing), await isMarked(profile)]).toEqual([true, true]);
  expect(await isMarked(`/v1/marketplace?q=With%20${kind}`)).toBe(true);
  await Promise.all(shown.map(remove));
  expect([await isMarked(listing), await isMarked(profile)]).toEqual([false, false]);
});
