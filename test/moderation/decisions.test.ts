import { describe, expect, test } from 'vitest';
import { type Account, expectStatus } from '../support/client.ts';
import { createEmbed, site, startVisit } from '../support/embeds.ts';
import { eventually } from '../support/eventually.ts';
import { createRoom } from '../support/rooms.ts';
import { socialOf, tokenOf } from '../support/social.ts';
import { caseOf, decide, get, isListed, lab, publish, report, useModeration } from './moderation-fixture.ts';

useModeration();

describe('a decision', () => {
  test('removes an agent from everywhere but its owner, with reasons, and an appeal restores it', async () => {
    const agent = await publish({ name: 'Removed', instructions: 'x' });
    const conversation = expectStatus(
      await lab.app.call('POST', '/v1/conversations', { as: lab.reader.token, body: { agent_id: agent.id } }),
      201,
    ).body;
    const messages = `/v1/conversations/${conversation.id}/messages`;
    const send = () => lab.app.call('POST', messages, { as: lab.reader.token, body: { content: 'Hello.' } });
    expectStatus(await send(), 201);
    await lab.app.call('PUT', `/v1/agents/${agent.id}/listing`, { as: lab.owner.token, body: { allow_copies: true } });
    const embed = await lab.app.call('POST', '/v1/embeds', {
      as: lab.owner.token,
      body: { agent_id: agent.id, name: 'Shop', allowed_origins: ['https://shop.example'] },
    });
    const visit = () =>
      lab.app.call('POST', '/v1/embed/sessions', {
        body: { embed_id: embed.body.id, parent_origin: 'https://shop.example' },
      });
    expect((await visit()).status).toBe(200);

    const removed = await decide(agent.id, 'remove');
    expect(removed.body).toMatchObject({ action: 'remove', automated: false, statement: 'It claims too much.' });
    expect(await isListed('Removed')).toBe(false);
    expect((await get('/v1/agents/explore?q=Removed', lab.reader.token)).body.total).toBe(0);
    for (const path of [`/v1/agents/${agent.id}`, `/v1/marketplace/agents/${agent.id}`])
      expect((await get(path, lab.reader.token)).status).toBe(404);
    expect((await send()).status).toBe(404);
    expect((await lab.app.call('POST', `/v1/agents/${agent.id}/copy`, { as: lab.reader.token })).status).toBe(404);
    const copied = await lab.app.call('POST', `/v1/agents/${agent.id}/copy`, { as: lab.owner.token });
    expect(copied).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect((await visit()).status).toBe(404);
    expect((await get(messages, lab.reader.token)).body.data.length).toBeGreaterThan(1);
    expect((await get(`/v1/agents/${agent.id}/listing`, lab.owner.token)).body.status).toBe('removed');

    const appealPath = `/v1/moderation/decisions/${removed.body.id}/appeal`;
    const appeal = (as: string) => lab.app.call('POST', appealPath, { as, body: { text: 'It is a joke.' } });
    expect((await appeal(lab.reader.token)).status).toBe(404);
    const appealed = await appeal(lab.owner.token);
    expect([appealed.status, appealed.body.appeal]).toMatchObject([200, { text: 'It is a joke.', outcome: null }]);
    expect((await appeal(lab.owner.token)).body.error.code).toBe('conflict');
    expect((await caseOf(agent.id)).case).toMatchObject({ open: true, appealed_at: expect.any(String) });
    expectStatus(await decide(agent.id, 'restore'), 201);
    expect(await isListed('Removed')).toBe(true);
    expectStatus(await send(), 201);
    const decisions = (await get('/v1/moderation/decisions', lab.owner.token)).body.data;
    expect(decisions[1]).toMatchObject({ id: removed.body.id, appeal: { outcome: 'restore' } });
    const { rows } = await lab.app.db.query(
      `select type, count(*)::int as count from outbox_events
       where account_id = $1 and (data->>'subject_id' = $2 or data->>'agent_id' = $2 or (data->>'id' = $2 and type = 'agent.published'))
       group by 1 order by 1`,
      [lab.owner.id, agent.id],
    );
    expect(rows).toEqual([
      { type: 'agent.published', count: 1 },
      { type: 'agent.unpublished', count: 1 },
      { type: 'moderation.decided', count: 2 },
    ]);
    const mail = await eventually(async () => {
      const { body } = await lab.app.call('GET', `/dev/mail?to=${encodeURIComponent(lab.owner.email)}&format=json`);
      return JSON.stringify(body).includes('It claims too much.') ? JSON.stringify(body) : null;
    });
    expect(mail).toContain(removed.body.id);
    expect(mail).toContain('/settings/reports');
  });

  test('removes an agent from the shares and likes of others', async () => {
    const [agent, talk] = [await publish({ name: 'Shared' }), await publish({ name: 'Talked to' })];
    const social = socialOf(lab.app);
    const { reader, owner } = lab;
    const conversation = expectStatus(await social.send('POST', '/conversations', reader, { agent_id: talk.id }), 201);
    await eventually(
      async () => (await social.get(`/conversations/${conversation.body.id}`, reader)).message_count > 0,
    );
    const [ofAgent, ofTalk] = [
      tokenOf(await social.share(reader, { type: 'agent', agent_id: agent.id })),
      tokenOf(await social.share(reader, { type: 'conversation', conversation_id: conversation.body.id })),
    ];
    for (const { id } of [agent, talk]) for (const as of [reader, owner]) await social.put(`/social/likes/${id}`, as);
    const likes = async (as: Account) =>
      (await social.get('/social/likes', as)).data.map(({ id }: { id: string }) => id).toSorted();
    const seenBy = async (as: Account) => [(await get(`/v1/shares/${ofAgent}`, as.token)).status, await likes(as)];
    const both = [200, [agent.id, talk.id].toSorted()];
    for (const action of ['hold', 'restore']) {
      for (const { id } of [agent, talk]) expectStatus(await decide(id, action), 201);
      expect([await seenBy(reader), await seenBy(owner)]).toEqual([both, both]);
    }
    for (const { id } of [agent, talk]) expectStatus(await decide(id, 'remove'), 201);
    expect([await seenBy(reader), await seenBy(owner)]).toEqual([[404, []], both]);
    expect((await get(`/v1/shares/${ofAgent}`)).status).toBe(404);
    expect((await lab.app.send('GET', `/share/${ofAgent}`)).status).toBe(404);
    expect((await get(`/v1/shares/${ofTalk}`)).body).toMatchObject({
      agent_id: null,
      agent: null,
      agent_name: 'Talked to',
    });
  });

  test('keeps an author from publishing, and from nothing else', async () => {
    const author = await lab.app.signUp({ plan: 'plus' });
    const agent = await publish({ name: 'Restricted' }, author.token);
    const { id: embedId } = await createEmbed(lab.app, {}, author);
    const visit = async () => (await startVisit(lab.app, embedId)).status;
    expect(await visit()).toBe(200);
    const restricted = await decide(agent.id, 'restrict_author');
    expect(await visit()).toBe(404);
    const mine = (method: string, path: string, body?: object) =>
      lab.app.call(method, path, { as: author.token, body });
    const refused = [
      await mine('POST', '/v1/agents', { name: 'New', instructions: 'x', is_public: true }),
      await mine('PUT', `/v1/agents/${agent.id}`, { description: 'Buy now' }),
      await mine('PUT', `/v1/agents/${agent.id}/listing`, { about: 'Buy now' }),
      await mine('POST', '/v1/images', { kind: 'avatar', prompt: 'An owl.' }),
      await mine('POST', '/v1/embeds', { agent_id: agent.id, name: 'Shop', allowed_origins: [site] }),
      await mine('PUT', `/v1/embeds/${embedId}`, { active: true, notice: 'Buy now' }),
      ...(await Promise.all(
        [{ bio: 'Buy now' }, { display_name: 'Buy now' }, { avatar_url: 'https://example.com/buy.png' }].map((body) =>
          mine('PUT', '/v1/auth/me', body),
        ),
      )),
    ];
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(refused.map(() => [403, 'forbidden']));
    const { body: me } = await mine('GET', '/v1/auth/me');
    expectStatus(await mine('PUT', '/v1/auth/me', { ...me, bio: null }), 200);
    expectStatus(await mine('POST', '/v1/agents', { name: 'Private', instructions: 'x' }), 201);
    expectStatus(await mine('PUT', `/v1/agents/${agent.id}`, { is_public: false }), 200);
    expectStatus(await mine('POST', `/v1/moderation/decisions/${restricted.body.id}/appeal`, { text: 'Sorry.' }), 200);
    expectStatus(await mine('PUT', `/v1/embeds/${embedId}`, { active: false }), 200);
    expectStatus(await decide(agent.id, 'restore'), 201);
    expectStatus(await mine('PUT', `/v1/embeds/${embedId}`, { active: true }), 200);
    expect(await visit()).toBe(200);
    expectStatus(await mine('PUT', `/v1/agents/${agent.id}`, { is_public: true }), 200);
  });
});

describe('an appeal against the removal of a room, which the removal deletes', () => {
  /** Creates a removed room with an appeal of its owner. */
  async function removeRoom() {
    const room = await createRoom(lab.app, { people: 1 });
    const [host, member] = room.people as [Account, Account];
    expectStatus(await report(room.id, member.token, { subject_type: 'room' }), 201);
    const removed = expectStatus(await decide(room.id, 'remove', { subject_type: 'room' }), 201).body;
    expect((await get(`/v1/rooms/${room.id}`, host.token)).status).toBe(404);
    const path = `/v1/moderation/decisions/${removed.id}/appeal`;
    expectStatus(await lab.app.call('POST', path, { as: host.token, body: { text: 'We only cooked.' } }), 200);
    return { room, host };
  }
  const decideRoom = (id: string, action: string) => decide(id, action, { subject_type: 'room' });

  test.each(['none', 'restore'])('is decided with %s, and its author learns the outcome', async (action) => {
    const { room, host } = await removeRoom();
    expect(await caseOf(room.id, 'room')).toMatchObject({ case: { open: true }, subject: null });
    for (const impossible of ['hold', 'remove']) {
      const { status, body } = await decideRoom(room.id, impossible);
      expect([status, body.error.message]).toEqual([409, 'This no longer exists, so it cannot be held or removed.']);
    }
    expect(expectStatus(await decideRoom(room.id, action), 201).body).toMatchObject({ subject_id: room.id, action });
    expect((await caseOf(room.id, 'room')).case).toMatchObject({ open: false, appealed_at: null });
    const [newest, first] = (await get('/v1/moderation/decisions', host.token)).body.data;
    expect(newest).toMatchObject({ action, subject_id: room.id });
    expect(first.appeal).toMatchObject({ text: 'We only cooked.', outcome: action });
  });

  test('may restrict its author; a later restore lifts that', async () => {
    const { room, host } = await removeRoom();
    const publishMine = () =>
      lab.app.call('POST', '/v1/agents', {
        as: host.token,
        body: { name: 'New', instructions: 'x', is_public: true },
      });
    expectStatus(await decideRoom(room.id, 'restrict_author'), 201);
    expect((await publishMine()).status).toBe(403);
    expectStatus(await decideRoom(room.id, 'restore'), 201);
    expectStatus(await publishMine(), 201);
  });

  test('a room that never had a case cannot be decided on', async () => {
    const none = 'room_019bc0de-0000-7000-8000-00000000aaaa';
    expect((await decideRoom(none, 'none')).status).toBe(404);
  });
});
