import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';

let app: TestApp;
let ada: Account;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());

const patch = (id: string, body: object, as = ada.token) => app.call('PATCH', `/v1/conversations/${id}`, { as, body });
const listed = async (query = '') => {
  const { body } = await app.call('GET', `/v1/conversations${query}`, { as: ada.token });
  return { ids: body.data.map(({ id }: { id: string }) => id), total: body.total };
};

describe('PATCH /v1/conversations/:id', () => {
  test('pins and archives, keeps what is not given, and the lists follow', async () => {
    const [a, b, c] = [
      await app.createConversation(ada.token),
      await app.createConversation(ada.token),
      await app.createConversation(ada.token),
    ];
    const before = (await app.call('GET', `/v1/conversations/${a.id}`, { as: ada.token })).body;
    expect(before).not.toHaveProperty('pinned_at');
    const pinned = expectStatus(await patch(a.id, { pinned: true, title: 'First' }), 200).body;
    expect(pinned).toMatchObject({ title: 'First', pinned_at: expect.any(String), updated_at: before.updated_at });
    expect(pinned).not.toHaveProperty('archived_at');
    const again = expectStatus(await patch(a.id, { pinned: true }), 200).body;
    expect(again).toMatchObject({ title: 'First', pinned_at: pinned.pinned_at });
    expectStatus(await patch(b.id, { archived: true, pinned: true }), 200);

    expect(await listed()).toEqual({ ids: [c.id, b.id, a.id], total: 3 });
    expect(await listed('?filter=open')).toEqual({ ids: [c.id, a.id], total: 2 });
    expect(await listed('?filter=pinned')).toEqual({ ids: [a.id], total: 1 });
    expect(await listed('?filter=archived')).toEqual({ ids: [b.id], total: 1 });
    expect(await listed(`?filter=archived&agent_id=${a.agent_id}`)).toEqual({ ids: [], total: 0 });

    expect((await patch(a.id, { pinned: false })).body).not.toHaveProperty('pinned_at');
    expectStatus(await patch(b.id, { archived: false }), 200);
    expect(await listed('?filter=pinned')).toEqual({ ids: [b.id], total: 1 });
  });

  test('clears a title with null, and keeps it when it is omitted', async () => {
    const { id } = await app.createConversation(ada.token);
    expect((await patch(id, { title: 'Knots' })).body.title).toBe('Knots');
    expect((await patch(id, { pinned: true })).body.title).toBe('Knots');
    expect(expectStatus(await patch(id, { title: null }), 200).body.title).toBeNull();
    const { body } = await app.call('GET', `/v1/conversations/${id}`, { as: ada.token });
    expect(body.title).toBeNull();
    expectStatus(await patch(id, body), 200);
  });

  test.each(['pinned', 'archived'])('rejects null for %s, which is not nullable', async (field) => {
    const { id } = await app.createConversation(ada.token);
    for (const body of [{ [field]: null }, { [field]: null, title: 'Knots' }])
      expect(await patch(id, body)).toMatchObject({
        status: 400,
        body: { error: { details: [{ field, code: 'not_nullable', message: 'must not be null' }] } },
      });
  });

  test('rejects a body that changes nothing, a wrong type, an unknown filter and other accounts', async () => {
    const { id } = await app.createConversation(ada.token);
    for (const body of [{}, { title: '' }]) {
      expect(await patch(id, body)).toMatchObject({ status: 400, body: { error: { details: [{ field: 'title' }] } } });
    }
    const wrong = { error: { details: [{ field: 'archived' }] } };
    expect(await patch(id, { archived: 'yes' })).toMatchObject({ status: 400, body: wrong });
    expect((await app.call('GET', '/v1/conversations?filter=old', { as: ada.token })).status).toBe(400);
    expect((await patch(id, { pinned: true }, (await app.signUp()).token)).status).toBe(404);
  });
});

describe('Conversation.lastMessage', () => {
  test('is the beginning of the newest message', async () => {
    const { id } = await app.createConversation(ada.token, { greeting_message: 'é'.repeat(300) });
    const query = `query ($id: ID!) { conversation(id: $id) { lastMessage { role excerpt createdAt } } }`;
    const last = async () =>
      (await app.graphql(query, { as: ada.token, variables: { id } })).body.data.conversation.lastMessage;
    expect(await last()).toEqual({ role: 'ASSISTANT', excerpt: 'é'.repeat(200), createdAt: expect.any(String) });
    app.model.script({ deltas: ['Good day.'] });
    const body = { content: 'Hello.' };
    expectStatus(await app.call('POST', `/v1/conversations/${id}/messages`, { as: ada.token, body }), 201);
    expect(await last()).toMatchObject({ excerpt: 'Good day.' });
  });
});
