import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { establish, withModerator } from '../support/moderators.ts';
import { createRoom } from '../support/rooms.ts';

/** Of every instance: any of them runs the content check. */
const protectedNames = { PROTECTED_NAMES: 'Acme Bank' };

let app: TestApp;
let desk: TestApp;
let moderator: Account;
let owner: Account;
let reader: Account;
beforeAll(async () => {
  app = await startTestApp({ env: protectedNames });
  [moderator, owner, reader] = await Promise.all([
    app.signUp(),
    app.signUp({ plan: 'creator' }),
    app.signUp({ plan: 'pro' }),
  ]);
  desk = await withModerator(app, moderator, protectedNames);
});
afterAll(async () => {
  await desk.close();
  await app.close();
});
beforeEach(() => app.model.reset());

const get = (path: string, as?: string) => app.call('GET', path, as ? { as } : {});
const publish = (fields: object = {}, as = owner.token) => app.createAgent(as, { is_public: true, ...fields });
const report = (subject_id: string, as?: string, fields: object = {}) =>
  app.call('POST', '/v1/reports', {
    ...(as ? { as } : {}),
    body: { subject_type: 'agent', subject_id, reason: 'deception', ...fields },
  });
const decide = (subject_id: string, action: string, fields: object = {}) =>
  desk.call('POST', '/v1/moderation/decisions', {
    as: moderator.token,
    body: {
      subject_type: 'agent',
      subject_id,
      action,
      reason: 'deception',
      statement: 'It claims too much.',
      ...fields,
    },
  });
const caseOf = async (id: string, type = 'agent') =>
  (await desk.call('GET', `/v1/moderation/cases/${type}/${id}`, { as: moderator.token })).body;
const isListed = async (name: string) =>
  (await get(`/v1/marketplace?q=${name}`)).body.data.some((item: { name: string }) => item.name === name);
const stateOf = async (id: string) =>
  (await app.db.query('select moderation_state as state from agents where id = $1', [id])).rows[0]?.state;

describe('a report', () => {
  test('is taken from anyone who sees the subject, once from each account, and its outcome is shown', async () => {
    const agent = await publish({ name: 'Reported' });
    const first = await report(agent.id, reader.token, { comment: 'Pretends to be a doctor.' });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      subject_type: 'agent',
      subject_id: agent.id,
      reason: 'deception',
      comment: 'Pretends to be a doctor.',
      status: 'received',
      decided_at: null,
    });
    const second = await report(agent.id, reader.token, { reason: 'spam' });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect((await report(agent.id, undefined, { contact_email: 'me@example.com' })).status).toBe(201);
    expect(await caseOf(agent.id)).toMatchObject({
      case: { open: true, reporter_count: 1, report_count: 2, author_id: owner.id },
      subject: { title: 'Reported', state: 'ok' },
    });
    expectStatus(await decide(agent.id, 'hold'), 201);
    const { body } = await get('/v1/reports', reader.token);
    expect(body.data[0]).toMatchObject({ id: first.body.id, status: 'actioned', decided_at: expect.any(String) });
  });

  test('of what the reporter cannot see is that of nothing', async () => {
    const hidden = await app.createAgent(owner.token);
    const [foreign, none] = [
      await report(hidden.id, reader.token),
      await report('019bc0de-0000-7000-8000-00000000aaaa', reader.token),
    ];
    expect([foreign.status, foreign.body]).toEqual([404, none.body]);
    const invalid = await report(hidden.id, reader.token, { reason: 'dislike' });
    expect([invalid.status, invalid.body.error.details[0].field]).toEqual([400, 'reason']);
  });

  test('is limited to ten an hour by account, and five by address without one', async () => {
    const limited = await startTestApp({
      databaseUrl: app.databaseUrl,
      env: { RATE_LIMITS: '{}', DATA_DIR: app.dataDir },
    });
    try {
      const { id } = await publish({ name: 'Limited' });
      const spammer = await app.signUp();
      const send = (as?: string) =>
        limited.call('POST', '/v1/reports', {
          ...(as ? { as } : {}),
          body: { subject_type: 'agent', subject_id: id, reason: 'spam' },
        });
      const statuses: number[] = [];
      for (let n = 0; n < 11; n++) statuses.push((await send(spammer.token)).status);
      expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 200), 429]);
      for (let n = 0; n < 5; n++) expectStatus(await send(), 201);
      const refused = await send();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    } finally {
      await limited.close();
    }
  });
});

describe('an automatic hold', () => {
  test('needs five established accounts within a day; throw-away accounts change nothing', async () => {
    const agent = await publish({ name: 'Targeted' });
    const puppets = await Promise.all(Array.from({ length: 6 }, () => app.signUp()));
    for (const { token } of puppets) expectStatus(await report(agent.id, token), 201);
    for (let n = 0; n < 6; n++) expectStatus(await report(agent.id), 201);
    expect(await stateOf(agent.id)).toBe('ok');
    const people = await Promise.all(Array.from({ length: 5 }, () => app.signUp()));
    await establish(app, people);
    const [last, ...others] = people;
    await Promise.all(others.map(({ token }) => report(agent.id, token)));
    await app.db.query(
      `update moderation_reports set created_at = created_at - interval '25 hours' where reporter_id = $1`,
      [others[0]?.id],
    );
    expectStatus(await report(agent.id, last?.token), 201);
    expect(await stateOf(agent.id)).toBe('ok');
    const sixth = await app.signUp();
    await establish(app, [sixth]);
    expectStatus(await report(agent.id, sixth.token), 201);
    expect(await stateOf(agent.id)).toBe('held');
    expect(await isListed('Targeted')).toBe(false);
    expect((await get('/v1/agents/explore?q=Targeted', reader.token)).body.total).toBe(0);
    expect((await get(`/v1/marketplace/agents/${agent.id}`)).status).toBe(200);
    expectStatus(await app.call('POST', '/v1/conversations', { as: reader.token, body: { agent_id: agent.id } }), 201);
    const [decision] = (await get('/v1/moderation/decisions', owner.token)).body.data;
    expect(decision).toMatchObject({ subject_id: agent.id, action: 'hold', automated: true, appeal: null });
    expect((await caseOf(agent.id)).case).toMatchObject({ open: true, reporter_count: 12 });
  });

  /** An agent that five established accounts reported. */
  async function heldAgent() {
    const { id } = await publish();
    const people = await Promise.all(Array.from({ length: 5 }, () => app.signUp()));
    await establish(app, people);
    for (const { token } of people) expectStatus(await report(id, token), 201);
    expect(await stateOf(id)).toBe('held');
    const { data } = (await get('/v1/moderation/decisions', owner.token)).body;
    return { id, appealPath: `/v1/moderation/decisions/${data[0].id}/appeal` };
  }

  test('ends when a moderator finds nothing', async () => {
    const { id } = await heldAgent();
    expectStatus(await decide(id, 'none'), 201);
    expect(await stateOf(id)).toBe('ok');
  });

  test('stays when a moderator confirms it, and when an appeal against it is turned down', async () => {
    const confirmed = await heldAgent();
    expectStatus(await decide(confirmed.id, 'hold'), 201);
    expectStatus(await report(confirmed.id), 201);
    expectStatus(await decide(confirmed.id, 'none'), 201);
    expect(await stateOf(confirmed.id)).toBe('held');
    const appealed = await heldAgent();
    expectStatus(await app.call('POST', appealed.appealPath, { as: owner.token, body: { text: 'Why?' } }), 200);
    expectStatus(await decide(appealed.id, 'none'), 201);
    expect(await stateOf(appealed.id)).toBe('held');
  });
});

describe('a decision', () => {
  test('removes an agent from everywhere but its owner, with reasons, and an appeal restores it', async () => {
    const agent = await publish({ name: 'Removed', instructions: 'x' });
    const conversation = expectStatus(
      await app.call('POST', '/v1/conversations', { as: reader.token, body: { agent_id: agent.id } }),
      201,
    ).body;
    const messages = `/v1/conversations/${conversation.id}/messages`;
    const send = () => app.call('POST', messages, { as: reader.token, body: { content: 'Hello.' } });
    expectStatus(await send(), 201);
    await app.call('PUT', `/v1/agents/${agent.id}/listing`, { as: owner.token, body: { allow_copies: true } });
    const embed = await app.call('POST', '/v1/embeds', {
      as: owner.token,
      body: { agent_id: agent.id, name: 'Shop', allowed_origins: ['https://shop.example'] },
    });
    const visit = () =>
      app.call('POST', '/v1/embed/sessions', {
        body: { embed_id: embed.body.id, parent_origin: 'https://shop.example' },
      });
    expect((await visit()).status).toBe(200);

    const removed = await decide(agent.id, 'remove');
    expect(removed.body).toMatchObject({ action: 'remove', automated: false, statement: 'It claims too much.' });
    expect(await isListed('Removed')).toBe(false);
    expect((await get('/v1/agents/explore?q=Removed', reader.token)).body.total).toBe(0);
    for (const path of [`/v1/agents/${agent.id}`, `/v1/marketplace/agents/${agent.id}`])
      expect((await get(path, reader.token)).status).toBe(404);
    expect((await send()).status).toBe(404);
    expect((await app.call('POST', `/v1/agents/${agent.id}/copy`, { as: reader.token })).status).toBe(404);
    expect((await visit()).status).toBe(404);
    expect((await get(messages, reader.token)).body.data.length).toBeGreaterThan(1);
    expect((await get(`/v1/agents/${agent.id}/listing`, owner.token)).body.status).toBe('removed');

    const appealPath = `/v1/moderation/decisions/${removed.body.id}/appeal`;
    const appeal = (as: string) => app.call('POST', appealPath, { as, body: { text: 'It is a joke.' } });
    expect((await appeal(reader.token)).status).toBe(404);
    const appealed = await appeal(owner.token);
    expect([appealed.status, appealed.body.appeal]).toMatchObject([200, { text: 'It is a joke.', outcome: null }]);
    expect((await appeal(owner.token)).body.error.code).toBe('conflict');
    expect((await caseOf(agent.id)).case).toMatchObject({ open: true, appealed_at: expect.any(String) });
    expectStatus(await decide(agent.id, 'restore'), 201);
    expect(await isListed('Removed')).toBe(true);
    expectStatus(await send(), 201);
    const decisions = (await get('/v1/moderation/decisions', owner.token)).body.data;
    expect(decisions[1]).toMatchObject({ id: removed.body.id, appeal: { outcome: 'restore' } });
    const { rows } = await app.db.query(
      `select type, count(*)::int as count from outbox_events
       where account_id = $1 and (data->>'subject_id' = $2 or data->>'agent_id' = $2 or (data->>'id' = $2 and type = 'agent.published'))
       group by 1 order by 1`,
      [owner.id, agent.id],
    );
    expect(rows).toEqual([
      { type: 'agent.published', count: 1 },
      { type: 'agent.unpublished', count: 1 },
      { type: 'moderation.decided', count: 2 },
    ]);
    const mail = await eventually(async () => {
      const { body } = await app.call('GET', `/dev/mail?to=${encodeURIComponent(owner.email)}&format=json`);
      return JSON.stringify(body).includes('It claims too much.') ? JSON.stringify(body) : null;
    });
    expect(mail).toContain(removed.body.id);
    expect(mail).toContain('/settings/reports');
  });

  test('keeps an author from publishing, and from nothing else', async () => {
    const author = await app.signUp({ plan: 'plus' });
    const agent = await publish({ name: 'Restricted' }, author.token);
    const restricted = await decide(agent.id, 'restrict_author');
    const mine = (method: string, path: string, body?: object) => app.call(method, path, { as: author.token, body });
    const refused = [
      await mine('POST', '/v1/agents', { name: 'New', instructions: 'x', is_public: true }),
      await mine('PUT', `/v1/agents/${agent.id}`, { description: 'Buy now' }),
      await mine('PUT', `/v1/agents/${agent.id}/listing`, { about: 'Buy now' }),
      await mine('POST', '/v1/images', { kind: 'avatar', prompt: 'An owl.' }),
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
    expectStatus(await decide(agent.id, 'restore'), 201);
    expectStatus(await mine('PUT', `/v1/agents/${agent.id}`, { is_public: true }), 200);
  });
});

describe('an appeal against the removal of a room, which is gone by it', () => {
  /** A removed room, and the appeal of its owner. */
  async function removeRoom() {
    const room = await createRoom(app, { people: 1 });
    const [host, member] = room.people as [Account, Account];
    expectStatus(await report(room.id, member.token, { subject_type: 'room' }), 201);
    const removed = expectStatus(await decide(room.id, 'remove', { subject_type: 'room' }), 201).body;
    expect((await get(`/v1/rooms/${room.id}`, host.token)).status).toBe(404);
    const path = `/v1/moderation/decisions/${removed.id}/appeal`;
    expectStatus(await app.call('POST', path, { as: host.token, body: { text: 'We only cooked.' } }), 200);
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
      app.call('POST', '/v1/agents', {
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

describe('the list of cases', () => {
  const listed = async (query: string): Promise<string[]> =>
    (await desk.call('GET', `/v1/moderation/cases${query}`, { as: moderator.token })).body.data.map(
      (item: { subject_id: string }) => item.subject_id,
    );

  test('holds open cases, appeals that wait, longest first, or what was decided, last first', async () => {
    const agents: string[] = [];
    for (const name of ['First', 'Second', 'Third']) {
      const { id } = await publish({ name });
      agents.push(id);
      await report(id, reader.token);
      const { body } = await decide(id, 'hold');
      const path = `/v1/moderation/decisions/${body.id}/appeal`;
      if (name !== 'Third') await app.call('POST', path, { as: owner.token, body: { text: 'Why?' } });
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
    const refused = await desk.call('GET', '/v1/moderation/cases?state=lost', { as: moderator.token });
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'state']);
  });
});

describe('the moderators’ routes', () => {
  test('do not exist for anyone else, and not for API keys; every look is recorded', async () => {
    const agent = await publish({ name: 'Looked at' });
    await report(agent.id, reader.token);
    const key = await app.call('POST', '/v1/auth/api-keys', {
      as: moderator.token,
      body: { name: 'all', scopes: ['account:write', 'agents:write'] },
    });
    const path = `/v1/moderation/cases/agent/${agent.id}`;
    for (const route of ['/v1/moderation/cases', path]) {
      expect((await desk.call('GET', route)).status).toBe(401);
      for (const as of [reader.token, key.body.key as string]) {
        const answer = await desk.call('GET', route, { as });
        expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
      }
      expectStatus(await desk.call('GET', route, { as: moderator.token }), 200);
    }
    expect((await app.call('GET', path, { as: moderator.token })).status).toBe(404);
    const decision = { subject_type: 'nonsense' };
    expect((await desk.call('POST', '/v1/moderation/decisions', { as: reader.token, body: decision })).status).toBe(
      404,
    );
    const { body } = await get('/v1/auth/audit-log', moderator.token);
    expect(body.data[0]).toMatchObject({ action: 'moderation.case_viewed', subject: `agent:${agent.id}` });
    const { body: gql } = await desk.graphql(
      `{ moderationCases { data { subjectId author { username } } total } moderationCase(subjectType: "agent", subjectId: "${agent.id}") { reports { reason } } }`,
      { as: moderator.token },
    );
    expect(gql.data.moderationCase.reports).toEqual([{ reason: 'DECEPTION' }]);
  });

  test('an account learns whether it is a moderator, by GraphQL alone', async () => {
    for (const [account, isModerator] of [
      [moderator, true],
      [reader, false],
    ] as const) {
      const { body } = await desk.graphql('{ me { isModerator } }', { as: account.token });
      expect(body.data).toEqual({ me: { isModerator } });
      expect((await desk.call('GET', '/v1/auth/me', { as: account.token })).body).not.toHaveProperty('is_moderator');
    }
  });

  test('a listing says whether it is featured', async () => {
    const { id } = await publish({ name: 'Chosen' });
    const featured = async () =>
      (await app.graphql(`{ listing(id: "${id}") { featured } }`)).body.data.listing.featured;
    const path = `/v1/moderation/featured/${id}`;
    expect(await featured()).toBe(false);
    expectStatus(await desk.call('PUT', path, { as: moderator.token }), 200);
    expect(await featured()).toBe(true);
    expectStatus(await desk.call('DELETE', path, { as: moderator.token }), 200);
    expect(await featured()).toBe(false);
  });
});

describe('the content check', () => {
  test('opens a case for what it flags, at publishing and at a change; it fails open and asks later', async () => {
    const flagged = await publish({ name: 'Nasty', description: '[[flag:hate]]' });
    await eventually(async () => (await caseOf(flagged.id)).case?.marks?.includes('hate'));
    expect(await isListed('Nasty')).toBe(true);
    const calm = await publish({ name: 'Calm' });
    app.model.script({ endpoint: 'moderations', status: 500, times: 3 });
    expectStatus(
      await app.call('PUT', `/v1/agents/${calm.id}/listing`, { as: owner.token, body: { about: '[[flag:violence]]' } }),
      200,
    );
    await eventually(async () => (await caseOf(calm.id)).case?.marks?.includes('violence'), { timeoutMs: 60_000 });
  });

  test('MARKETPLACE_REVIEW=before: an agent waits for approval, and is announced by it', async () => {
    const careful = await withModerator(app, moderator, { MARKETPLACE_REVIEW: 'before', ...protectedNames });
    try {
      const agent = expectStatus(
        await careful.call('POST', '/v1/agents', {
          as: owner.token,
          body: { name: 'Аcmе Bаnk', instructions: 'x', is_public: true },
        }),
        201,
      ).body;
      expect((await get(`/v1/agents/${agent.id}`, reader.token)).status).toBe(404);
      expect((await get(`/v1/agents/${agent.id}/listing`, owner.token)).body.status).toBe('in_review');
      await eventually(async () => {
        const { marks } = (await caseOf(agent.id)).case;
        return marks.includes('waiting') && marks.includes('impersonation');
      });
      const published = async () =>
        (
          await app.db.query(`select 1 from outbox_events where type = 'agent.published' and data->>'id' = $1`, [
            agent.id,
          ])
        ).rowCount;
      expect(await published()).toBe(0);
      expectStatus(await decide(agent.id, 'restore'), 201);
      expect(await published()).toBe(1);
      expect((await get(`/v1/agents/${agent.id}`, reader.token)).status).toBe(200);
    } finally {
      await careful.close();
    }
  });
});
