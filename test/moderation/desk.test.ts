import { describe, expect, test } from 'vitest';
import { expectStatus } from '../support/client.ts';
import { socialOf, tokenOf } from '../support/social.ts';
import { decide, get, lab, publish, report, useModeration } from './moderation-fixture.ts';

useModeration();

describe('the list of cases', () => {
  const listed = async (query: string): Promise<string[]> =>
    (await lab.desk.call('GET', `/v1/moderation/cases${query}`, { as: lab.moderator.token })).body.data.map(
      (item: { subject_id: string }) => item.subject_id,
    );

  test('contains open cases, pending appeals, oldest first, or decisions, newest first', async () => {
    const agents: string[] = [];
    for (const name of ['First', 'Second', 'Third']) {
      const { id } = await publish({ name });
      agents.push(id);
      await report(id, lab.reader.token);
      const { body } = await decide(id, 'hold');
      const path = `/v1/moderation/decisions/${body.id}/appeal`;
      if (name !== 'Third') await lab.app.call('POST', path, { as: lab.owner.token, body: { text: 'Why?' } });
    }
    const [first, second, third] = agents;
    const among = (ids: string[]) => ids.filter((id) => agents.includes(id));
    expect(among(await listed('?state=appealed&limit=100'))).toEqual([first, second]);
    expect(among(await listed('?limit=100')).toSorted()).toEqual([first, second].toSorted());
    expect(await listed('?state=closed&limit=1')).toEqual([third]);
    const [one] = await listed('?state=appealed&limit=1');
    expect((await listed('?state=appealed&limit=1&offset=1'))[0]).not.toBe(one);
    await decide(first ?? '', 'none');
    expect(among(await listed('?state=appealed&limit=100'))).toEqual([second]);
    expect(await listed('?state=closed&limit=2')).toEqual([first, third]);
    const refused = await lab.desk.call('GET', '/v1/moderation/cases?state=lost', { as: lab.moderator.token });
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'state']);
  });
});

describe('a shared conversation', () => {
  const shareOf = async (fields: object = {}) => {
    const social = socialOf(lab.app);
    const conversation = await lab.app.createConversation(lab.owner.token, { greeting_message: 'Between us.' });
    const shared = { type: 'conversation', conversation_id: conversation.id, ...fields };
    return social.share(lab.owner, shared);
  };
  const casePath = (id: string) => `/v1/moderation/cases/share/${id}`;
  const look = (id: string) => lab.desk.call('GET', casePath(id), { as: lab.moderator.token });
  const ofShare = { subject_type: 'share' };

  test('is shown to moderators only after a report, and can be removed and restored then', async () => {
    const share = await shareOf();
    for (const action of ['none', 'remove']) expect((await decide(share.id, action, ofShare)).status).toBe(404);
    expect((await look(share.id)).status).toBe(404);
    expectStatus(await report(share.url, lab.reader.token, ofShare), 201);
    expect((await look(share.id)).body.subject).toMatchObject({ text: 'Between us.', state: 'ok' });
    const read = async () => (await get(`/v1/shares/${tokenOf(share)}`)).status;
    const removed = expectStatus(await decide(share.id, 'remove', ofShare), 201).body;
    expect(await read()).toBe(404);
    const path = `/v1/moderation/decisions/${removed.id}/appeal`;
    expectStatus(await lab.app.call('POST', path, { as: lab.owner.token, body: { text: 'Why?' } }), 200);
    expect((await look(share.id)).body.subject).toMatchObject({ text: 'Between us.', state: 'removed' });
    expectStatus(await decide(share.id, 'restore', ofShare), 201);
    expect(await read()).toBe(200);
  });

  test('without a report is restored by its case, whose text stays hidden', async () => {
    const share = await shareOf();
    expectStatus(await report(share.url, lab.reader.token, ofShare), 201);
    expectStatus(await decide(share.id, 'remove', ofShare), 201);
    await lab.app.db.query('delete from moderation_reports where subject_id = $1', [share.id]);
    expect((await look(share.id)).body.subject).toBeNull();
    expectStatus(await decide(share.id, 'restore', ofShare), 201);
    expect((await get(`/v1/shares/${tokenOf(share)}`)).status).toBe(200);
  });

  test('in feeds, which is public, needs no report', async () => {
    const share = await shareOf({ anonymous: false, in_feed: true });
    expectStatus(await decide(share.id, 'none', ofShare), 201);
    expect((await look(share.id)).body.subject).toMatchObject({ text: 'Between us.' });
  });
});

describe('the moderators’ routes', () => {
  test('do not exist for anyone else, nor for API keys; every access is recorded', async () => {
    const agent = await publish({ name: 'Looked at' });
    await report(agent.id, lab.reader.token);
    const key = await lab.app.call('POST', '/v1/auth/api-keys', {
      as: lab.moderator.token,
      body: { name: 'all', scopes: ['account:write', 'agents:write'] },
    });
    const path = `/v1/moderation/cases/agent/${agent.id}`;
    for (const route of ['/v1/moderation/cases', path]) {
      expect((await lab.desk.call('GET', route)).status).toBe(401);
      for (const as of [lab.reader.token, key.body.key as string]) {
        const answer = await lab.desk.call('GET', route, { as });
        expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
      }
      expectStatus(await lab.desk.call('GET', route, { as: lab.moderator.token }), 200);
    }
    expect((await lab.app.call('GET', path, { as: lab.moderator.token })).status).toBe(404);
    const decision = { subject_type: 'nonsense' };
    expect(
      (await lab.desk.call('POST', '/v1/moderation/decisions', { as: lab.reader.token, body: decision })).status,
    ).toBe(404);
    const { body } = await get('/v1/auth/audit-log', lab.moderator.token);
    expect(body.data[0]).toMatchObject({ action: 'moderation.case_viewed', subject: `agent:${agent.id}` });
    const { body: gql } = await lab.desk.graphql(
      `{ moderationCases { data { subjectId author { username } } total } moderationCase(subjectType: "agent", subjectId: "${agent.id}") { reports { reason } } }`,
      { as: lab.moderator.token },
    );
    expect(gql.data.moderationCase.reports).toEqual([{ reason: 'DECEPTION' }]);
  });

  test('an account learns whether it is a moderator, by GraphQL alone', async () => {
    for (const [account, isModerator] of [
      [lab.moderator, true],
      [lab.reader, false],
    ] as const) {
      const { body } = await lab.desk.graphql('{ me { isModerator } }', { as: account.token });
      expect(body.data).toEqual({ me: { isModerator } });
      expect((await lab.desk.call('GET', '/v1/auth/me', { as: account.token })).body).not.toHaveProperty(
        'is_moderator',
      );
    }
  });

  test('a listing says whether it is featured', async () => {
    const { id } = await publish({ name: 'Chosen' });
    const featured = async () =>
      (await lab.app.graphql(`{ listing(id: "${id}") { featured } }`)).body.data.listing.featured;
    const path = `/v1/moderation/featured/${id}`;
    expect(await featured()).toBe(false);
    expectStatus(await lab.desk.call('PUT', path, { as: lab.moderator.token }), 200);
    expect(await featured()).toBe(true);
    expectStatus(await lab.desk.call('DELETE', path, { as: lab.moderator.token }), 200);
    expect(await featured()).toBe(false);
  });
});
