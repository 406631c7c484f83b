import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { upload } from '../support/knowledge.ts';

let service: TestApp;
let ada: Account;
let bob: Account;
beforeAll(async () => {
  service = await startTestApp();
  [ada, bob] = [await service.signUp({ plan: 'creator' }), await service.signUp()];
});
afterAll(() => service.close());

const details = 'id isMine documentCount creator { username displayName avatarUrl }';
const get = async (as: string, id: string) =>
  (await service.graphql(`query ($id: ID!) { agent(id: $id) { ${details} } }`, { as, variables: { id } })).body.data
    .agent;

describe('Agent', () => {
  test('names its creator and who owns it; only the owner sees how many documents it has', async () => {
    const { username } = (await service.call('GET', '/v1/auth/me', { as: ada.token })).body;
    expectStatus(await service.call('PUT', '/v1/auth/me', { as: ada.token, body: { display_name: 'Ada L.' } }), 200);
    const { id } = await service.createAgent(ada.token, { is_public: true });
    const creator = { username, displayName: 'Ada L.', avatarUrl: null };
    expect(await get(ada.token, id)).toEqual({ id, isMine: true, documentCount: 0, creator });
    const documents = `/v1/knowledge/${id}/documents`;
    const place = { token: ada.token, userId: ada.id, agentId: id, documents };
    expectStatus(await upload(service, place, 'a.txt', 'Refunds take five days.'), 201);
    expect(await get(ada.token, id)).toMatchObject({ documentCount: 1 });
    expect(await get(bob.token, id)).toEqual({ id, isMine: false, documentCount: null, creator });
  });

  test('is listed with its creator in explore, and REST keeps its shape', async () => {
    const { id } = await service.createAgent(bob.token, { name: 'Listed', is_public: true });
    const answer = await service.graphql(`{ exploreAgents(sort: RECENT, limit: 5) { data { ${details} } } }`, {
      as: ada.token,
    });
    const listed = answer.body.data.exploreAgents.data.find((agent: { id: string }) => agent.id === id);
    expect(listed).toMatchObject({ isMine: false, documentCount: null, creator: { displayName: null } });
    const rest = expectStatus(await service.call('GET', `/v1/agents/${id}`, { as: bob.token }), 200).body;
    expect(rest).not.toHaveProperty('creator');
    expect(rest).not.toHaveProperty('is_mine');
  });
});
