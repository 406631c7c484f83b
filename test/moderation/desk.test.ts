import { describe, expect, test } from 'vitest';
import { expectStatus } from '../support/client.ts';
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
