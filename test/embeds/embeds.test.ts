import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Account, expectStatus } from '../support/client.ts';
import { createEmbed, newVisitor, say, site, startVisit } from '../support/embeds.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
let ada: Account;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp({ plan: 'creator' });
});
afterAll(() => app.close());

const get = async (path: string, as = ada.token) => expectStatus(await app.call('GET', path, { as }), 200).body;

describe('an embed', () => {
  test('has defaults that leave the owner most daily messages, and shows its secret once', async () => {
    const free = await app.signUp();
    const { embed, id, agentId } = await createEmbed(app, {}, free);
    expect(embed).toMatchObject({
      agent_id: agentId,
      name: 'Shop',
      active: true,
      allowed_origins: [site],
      test: false,
      identity: 'anonymous',
      identity_secret: expect.stringMatching(/^ems_[\w-]{43}$/),
      limits: { per_day: 16, per_visitor_day: 30, per_address_hour: 30 },
      challenge: 'none',
      retention_days: 90,
      notice: null,
      message_count: 0,
      visitor_count: 0,
      appearance: { title: null, position: 'right', avatar: true, starters: [], language: null, dark: 'auto' },
    });
    expect(await get(`/v1/embeds/${id}`, free.token)).not.toHaveProperty('identity_secret');
    const { rows } = await app.db.query('select identity_secret from embeds where id = $1', [id]);
    expect(rows[0].identity_secret).not.toContain(embed.identity_secret);
    const second = { agent_id: agentId, name: 'Other', allowed_origins: [site] };
    const refused = await app.call('POST', '/v1/embeds', { as: free.token, body: second });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'plan_limit_exceeded']);
    const wrong = { ...second, allowed_origins: ['http://localhost:*'] };
    const invalid = await app.call('POST', '/v1/embeds', { as: free.token, body: wrong });
    expect([invalid.status, invalid.body.error.details[0].code]).toEqual([400, 'test_required']);
    expect((await createEmbed(app, {}, ada)).embed.limits.per_day).toBe(2_000);
  });

  test('has a default cap that follows the plan of the owner, unlike one that the owner chose', async () => {
    const owner = await app.signUp({ plan: 'creator' });
    const [{ id }, chosen] = [
      await createEmbed(app, {}, owner),
      await createEmbed(app, { limits: { per_day: 40 } }, owner),
    ];
    const capOf = async (embed: string) => (await get(`/v1/embeds/${embed}`, owner.token)).limits.per_day;
    const putCap = (per_day: number) =>
      app.call('PUT', `/v1/embeds/${id}`, { as: owner.token, body: { limits: { per_day } } });
    const changePlan = (plan: string) => app.db.query('update users set plan = $2 where id = $1', [owner.id, plan]);
    expect([await capOf(id), await capOf(chosen.id)]).toEqual([2_000, 40]);
    await changePlan('free');
    expect([await capOf(id), await capOf(chosen.id)]).toEqual([16, 40]);
    const { data } = await get('/v1/embeds', owner.token);
    expect(data.map(({ limits }: { limits: { per_day: number } }) => limits.per_day)).toEqual([40, 16]);
    const token = await newVisitor(app, id);
    await app.db.query(`update embed_days set messages = 15 where embed_id = $1`, [id]);
    expect((await say(app, token, 'The last of the day')).status).toBe(201);
    expect((await say(app, token, 'One more')).status).toBe(429);

    // A form sends the number that it shows.
    await putCap(16);
    await changePlan('plus');
    expect(await capOf(id)).toBe(166);
    await putCap(16);
    await changePlan('pro');
    expect(await capOf(id)).toBe(16);
  });

  test('keeps fields that an update omits, even inside limits and appearance', async () => {
    const { id } = await createEmbed(app, { appearance: { title: 'Ask us', starters: ['When?'] } }, ada);
    const body = { limits: { per_day: 7 }, appearance: { dark: 'dark', title: null }, notice: 'We can read this.' };
    const { body: changed } = await app.call('PUT', `/v1/embeds/${id}`, { as: ada.token, body });
    expect(changed).toMatchObject({
      name: 'Shop',
      limits: { per_day: 7, per_visitor_day: 30 },
      appearance: { dark: 'dark', title: null, starters: ['When?'] },
      notice: 'We can read this.',
    });
    expect((await get('/v1/embeds?limit=1')).data[0].id).toBe(id);
  });

  test.each([
    ['http://shop.example', 'test_required'],
    ['capacitor://localhost', 'test_required'],
    ['capacitor://shop.example', 'invalid_origin'],
    ['https://*.192.0.2.1', 'invalid_origin'],
    ['https://192.0.2', 'invalid_origin'],
    ['https://0x7f.1', 'invalid_origin'],
    ['https://a.example:0', 'invalid_origin'],
    ['https://%61.example', 'invalid_origin'],
    ['https://shop.example/path', 'invalid_origin'],
    ['https://*.example', 'invalid_origin'],
    ['https://*', 'invalid_origin'],
    ['*', 'invalid_origin'],
    ['null', 'invalid_origin'],
    ["https://a.example; script-src 'unsafe-inline'", 'invalid_origin'],
    ['https://a;b.example', 'invalid_origin'],
    ['https://user@shop.example', 'invalid_origin'],
    ['http://localhost:3000', 'test_required'],
  ])('refuses %s as a website', async (origin, code) => {
    const { id } = await createEmbed(app, {}, ada);
    const body = { allowed_origins: [site, origin] };
    const { status, body: refused } = await app.call('PUT', `/v1/embeds/${id}`, { as: ada.token, body });
    expect([status, refused.error.details[0].code]).toEqual([400, code]);
    expect(refused.error.details[0].field).toBe('allowed_origins[1]');
  });

  test('is served to intranets, hosts with _ and apps, of which those without https need test', async () => {
    const origins = [
      'https://intranet',
      'https://my_shop.example',
      'http://wiki:8080',
      'http://10.0.0.7',
      'capacitor://localhost',
    ];
    const { id } = await createEmbed(
      app,
      { test: true, allowed_origins: ['http://plain.example:80', ...origins] },
      ada,
    );
    expect((await get(`/v1/embeds/${id}`)).allowed_origins).toEqual(['http://plain.example', ...origins]);
    for (const origin of ['http://plain.example', ...origins])
      expect([origin, (await startVisit(app, id, { parent_origin: origin })).status]).toEqual([origin, 200]);
    for (const origin of ['http://intranet', 'https://wiki:8080', 'capacitor://other'])
      expect([origin, (await startVisit(app, id, { parent_origin: origin })).status]).toEqual([origin, 400]);
  });

  test('is served to pages of its websites only, wildcards and ports included', async () => {
    const { id } = await createEmbed(
      app,
      {
        test: true,
        allowed_origins: ['https://Shop.example:443', 'https://*.docs.example:8443', 'http://localhost:*', site],
      },
      ada,
    );
    const { allowed_origins: stored } = await get(`/v1/embeds/${id}`);
    expect(stored).toEqual([site, 'https://*.docs.example:8443', 'http://localhost:*']);
    const statusOf = async (origin: string) => (await startVisit(app, id, { parent_origin: origin })).status;
    const good = [site, 'https://a.b.docs.example:8443', 'http://localhost:4321', 'http://localhost'];
    for (const origin of good) expect([origin, await statusOf(origin)]).toEqual([origin, 200]);
    const bad = [
      'https://evil.example',
      'https://docs.example:8443',
      'https://a.docs.example',
      'https://xdocs.example:8443',
      'http://shop.example',
      'https://shop.example.evil.example',
      'https://shop.example:444',
      'https://localhost',
      'null',
      '',
    ];
    for (const origin of bad) expect([origin, await statusOf(origin)]).toEqual([origin, 400]);
    const { body } = await startVisit(app, id, { parent_origin: 'https://evil.example' });
    expect(body.error.details).toMatchObject([{ field: 'parent_origin', code: 'origin_not_allowed' }]);
  });

  test('is 404 for visitors while it is paused, its agent is deleted or its owner leaves', async () => {
    const { id, agentId } = await createEmbed(app, {}, ada);
    const token = await newVisitor(app, id);
    const put = (active: boolean) => app.call('PUT', `/v1/embeds/${id}`, { as: ada.token, body: { active } });
    await put(false);
    expect((await startVisit(app, id)).status).toBe(404);
    expect((await app.call('GET', '/v1/embed/messages', { as: token })).status).toBe(404);
    await put(true);
    expect((await app.call('GET', '/v1/embed/messages', { as: token })).status).toBe(200);
    await app.call('DELETE', `/v1/agents/${agentId}`, { as: ada.token });
    expect((await say(app, token, 'Hello?')).status).toBe(404);
    expect((await app.call('GET', `/v1/embeds/${id}`, { as: ada.token })).status).toBe(404);

    const leaving = await createEmbed(app);
    const visitor = await newVisitor(app, leaving.id);
    await app.call('DELETE', '/v1/auth/me', { as: leaving.owner.token });
    expect((await startVisit(app, leaving.id)).status).toBe(404);
    expect((await say(app, visitor, 'Hello?')).status).toBe(404);
  });

  test('is deleted with its visitors, and with its conversations unless the owner keeps these', async () => {
    const answers = [];
    for (const keep of [false, true]) {
      const { id } = await createEmbed(app, {}, ada);
      expectStatus(await say(app, await newVisitor(app, id), `Hello ${keep}`), 201);
      const { rows } = await app.db.query('select conversation_id from embed_conversations where embed_id = $1', [id]);
      const path = `/v1/embeds/${id}${keep ? '?keep_conversations=true' : ''}`;
      expectStatus(await app.call('DELETE', path, { as: ada.token }), 200);
      expect((await app.call('GET', path, { as: ada.token })).status).toBe(404);
      await eventually(async () => (await app.db.query('select 1 from embeds where id = $1', [id])).rowCount === 0);
      const conversation = `/v1/conversations/${rows[0].conversation_id}`;
      answers.push((await app.call('GET', conversation, { as: ada.token })).status);
    }
    expect(answers).toEqual([404, 200]);
  });
});

describe('the owner', () => {
  test('reads the conversations of visitors, receives their events and sees usage figures', async () => {
    const { id, owner } = await createEmbed(app, { limits: { per_visitor_day: 2 } });
    const [first, second] = [await newVisitor(app, id), await newVisitor(app, id)];
    expectStatus(await say(app, first, 'How far is the moon?'), 201);
    expectStatus(await say(app, first, 'And the sun?'), 201);
    expectStatus(await say(app, first, 'And Mars?'), 429);
    expectStatus(await say(app, first, 'And Mars?'), 429);
    expectStatus(await say(app, second, 'Hello'), 201);
    app.model.script({ when: 'Fail now', deltas: [] });
    expectStatus(await say(app, second, 'Fail now'), 502);

    const conversations = await get('/v1/conversations', owner.token);
    expect(conversations.total).toBe(2);
    expect((await app.call('GET', `/v1/conversations/${conversations.data[0].id}`, { as: ada.token })).status).toBe(
      404,
    );
    const stats = await get(`/v1/embeds/${id}/stats?days=2`, owner.token);
    expect(stats).toMatchObject({ embed_id: id, days: [{ visitors: 0, messages: 0, cost: 0 }, {}] });
    expect(stats.days[1]).toEqual({
      date: new Date().toISOString().slice(0, 10),
      visitors: 2,
      messages: 4,
      refused: { per_day: 0, per_visitor_day: 2, per_address_hour: 0 },
      identity_faults: [],
      cost: 3,
    });
    const usage = await get('/v1/billing/usage', owner.token);
    expect(usage.usage.messages_sent).toBe(3);
    expect(await get(`/v1/embeds/${id}`, owner.token)).toMatchObject({ message_count: 4, visitor_count: 2 });

    const { rows } = await app.db.query(
      `select type, data from outbox_events where account_id = $1 and type like 'embed.%' order by seq`,
      [owner.id],
    );
    expect(rows.map(({ type }) => type)).toEqual([
      'embed.conversation_started',
      'embed.limit_reached',
      'embed.conversation_started',
    ]);
    expect(rows[1].data).toMatchObject({ embed_id: id, limit: 'per_visitor_day' });
  });

  test('lists visitors, last seen first, and erases one with every conversation', async () => {
    const { id, owner } = await createEmbed(app);
    const [kept, erased] = [await newVisitor(app, id), await newVisitor(app, id)];
    for (const token of [kept, erased]) expectStatus(await say(app, token, 'Hello'), 201);
    expectStatus(await app.call('DELETE', '/v1/embed/conversation', { as: erased }), 200);
    expectStatus(await say(app, erased, 'Again'), 201);
    const visitors = await get(`/v1/embeds/${id}/visitors`, owner.token);
    expect(visitors.total).toBe(2);
    expect(visitors.data[0]).toMatchObject({ id: expect.stringMatching(/^vis_/), external_id: null, name: null });
    expect((await get('/v1/conversations', owner.token)).total).toBe(3);
    const path = `/v1/embeds/${id}/visitors/${visitors.data[0].id}`;
    expect((await app.call('DELETE', path, { as: ada.token })).status).toBe(404);
    expectStatus(await app.call('DELETE', path, { as: owner.token }), 200);
    expect((await app.call('DELETE', path, { as: owner.token })).status).toBe(404);
    expect((await app.call('GET', '/v1/embed/messages', { as: erased })).status).toBe(401);
    await eventually(async () => (await get('/v1/conversations', owner.token)).total === 1);
    expect((await get(`/v1/embeds/${id}/visitors`, owner.token)).total).toBe(1);
  });
});
