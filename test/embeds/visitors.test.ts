import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireVisitors } from '../../src/embeds/visitors/expire-visitors.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { createEmbed, identityToken, newVisitor, say, site, startVisit } from '../support/embeds.ts';
import { eventually } from '../support/eventually.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const messagesOf = async (token: string) =>
  expectStatus(await app.call('GET', '/v1/embed/messages', { as: token }), 200).body.data;

describe('a visitor', () => {
  test('starts with the greeting and finds the history again with the token', async () => {
    const { id } = await createEmbed(app, { appearance: { starters: ['What is new?'] } });
    const { body } = await startVisit(app, id);
    expect(body).toMatchObject({
      visitor_token: expect.stringMatching(/^vt1_[\w-]{43}$/),
      config: {
        appearance: { color: '#4a4fc8', starters: ['What is new?'] },
        agent_name: 'Ada',
        avatar_url: null,
        greeting: 'Hello, I am Ada.',
        notice: null,
      },
      messages: [],
    });
    const { body: exchange } = await say(app, body.visitor_token, 'How far is the moon?');
    expect(exchange.user_message).toMatchObject({ role: 'user', content: 'How far is the moon?' });
    const { body: again } = await startVisit(app, id, { visitor_token: body.visitor_token });
    expect(again.visitor_token).toBe(body.visitor_token);
    expect(again.messages.map(({ role }: { role: string }) => role)).toEqual(['assistant', 'user', 'assistant']);
    expect(Object.keys(again.messages[2])).toEqual(['id', 'role', 'content', 'created_at']);
  });

  test('is not greeted in advance while the greeting depends on the variant of an experiment', async () => {
    const { id, agentId, owner } = await createEmbed(app);
    const ask = async (method: 'POST' | 'PUT', path: string, body: object) =>
      (await app.call(method, path, { as: owner.token, body })).body;
    await ask('PUT', `/v1/agents/${agentId}`, { is_public: true });
    const versions = `/v1/studio/agents/${agentId}/versions`;
    const drafts = [
      await ask('POST', versions, { note: 'The live greeting' }),
      await ask('POST', versions, { greeting_message: 'Good day.' }),
    ];
    const variants = drafts.map((draft, n) => ({ key: 'ab'[n], version_id: draft.id, weight: 50 }));
    const experiment = await ask('POST', `/v1/studio/agents/${agentId}/experiments`, { name: 'Greeting', variants });
    const greeting = async () => expectStatus(await startVisit(app, id), 200).body.config.greeting;
    expect(await greeting()).toBe('Hello, I am Ada.');
    expect(await ask('POST', `/v1/studio/experiments/${experiment.id}/start`, {})).toMatchObject({ status: 'running' });
    expect(await greeting()).toBeNull();
    const token = await newVisitor(app, id);
    expectStatus(await say(app, token, 'Hello.'), 201);
    expect(['Hello, I am Ada.', 'Good day.']).toContain((await messagesOf(token)).at(-1).content);
  });

  test('streams a reply, stops it and rates it', async () => {
    const { id } = await createEmbed(app);
    const token = await newVisitor(app, id);
    app.model.script({ when: 'Tell me', deltas: ['One ', 'two.'] });
    const events = [];
    for await (const event of app.stream('/v1/embed/messages/stream', { as: token, body: { content: 'Tell me' } }))
      events.push(event);
    const text = events.filter(({ event }) => event === 'delta').map(({ data }) => data.content);
    expect([text.join(''), events.at(-1)?.event]).toEqual(['One two.', 'done']);
    const messageId = events.at(-1)?.data.message_id;
    const rating = { rating: 'down', comment: 'Too short.' };
    const path = `/v1/embed/messages/${messageId}/feedback`;
    expect((await app.call('POST', path, { as: token, body: rating })).body).toMatchObject(rating);
    const other = await newVisitor(app, id);
    expect((await app.call('POST', path, { as: other, body: rating })).status).toBe(404);

    app.model.script({ when: 'Never end', fault: { kind: 'hang', after: 'before_headers' } });
    const waiting = say(app, token, 'Never end');
    await eventually(() => app.model.requests.some(({ body }) => JSON.stringify(body).includes('Never end')));
    expect((await say(app, token, 'Something else')).body.error.code).toBe('generation_in_progress');
    const stopped = await app.call('POST', '/v1/embed/messages/stop', { as: token });
    expect(stopped.body).toEqual({ stopped: true, message_id: null });
    expect((await waiting).status).toBe(409);
  });

  test('sends the same message again without another charge', async () => {
    const { id, owner } = await createEmbed(app, { limits: { per_visitor_day: 1 } });
    const token = await newVisitor(app, id);
    const send = () =>
      app.call('POST', '/v1/embed/messages', {
        as: token,
        body: { content: 'Once' },
        headers: { 'idempotency-key': 'the-only-one' },
      });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    const { body } = await app.call('GET', `/v1/embeds/${id}/stats?days=1`, { as: owner.token });
    expect(body.days[0]).toMatchObject({ messages: 1, cost: 1, refused: { per_visitor_day: 0 } });
  });

  test('starts a new conversation, and with forget erases everything', async () => {
    const { id, owner } = await createEmbed(app);
    const token = await newVisitor(app, id);
    await say(app, token, 'First');
    const leave = (query = '') => app.call('DELETE', `/v1/embed/conversation${query}`, { as: token });
    expect((await leave()).body).toEqual({ forgotten: false });
    expect(await messagesOf(token)).toEqual([]);
    await say(app, token, 'Second');
    expect((await app.call('GET', '/v1/conversations', { as: owner.token })).body.total).toBe(2);
    expect((await leave('?forget=true')).body).toEqual({ forgotten: true });
    expect((await app.call('GET', '/v1/embed/messages', { as: token })).status).toBe(401);
    expect((await startVisit(app, id, { visitor_token: token })).body.visitor_token).not.toBe(token);
    await eventually(async () => {
      const { rows } = await app.db.query(
        `select (select count(*) from embed_visitors where embed_id = $1)
           + (select count(*) from conversations where user_id = $2) as left`,
        [id, owner.id],
      );
      return Number(rows[0].left) === 1;
    });
  });

  test('is erased after the days that the embed keeps idle visitors', async () => {
    const { id, owner } = await createEmbed(app, { retention_days: 3 });
    const [idle, present] = [await newVisitor(app, id), await newVisitor(app, id)];
    await say(app, idle, 'Hello');
    await app.db.query(
      `update embed_visitors set last_seen_at = now() - interval '4 days' where embed_id = $1 and conversation_id is not null`,
      [id],
    );
    await expireVisitors(app.app.newCtx({ kind: 'system' }), new AbortController().signal);
    expect((await app.call('GET', '/v1/embed/messages', { as: idle })).status).toBe(401);
    expect((await app.call('GET', '/v1/embed/messages', { as: present })).status).toBe(200);
    expect((await app.call('GET', '/v1/conversations', { as: owner.token })).body.total).toBe(0);
  });

  test('is present while they send messages: kept, counted once a day, and with a valid token', async () => {
    const { id, owner } = await createEmbed(app, { retention_days: 1 });
    const token = await newVisitor(app, id);
    await app.db.query(`update embed_visitors set last_seen_at = now() - interval '2 days' where embed_id = $1`, [id]);
    await app.db.query(`update embed_days set day = day - 2 where embed_id = $1`, [id]);
    await app.db.query(
      `update embed_sessions set expires_at = now() + interval '1 day' where visitor_id in (
         select id from embed_visitors where embed_id = $1)`,
      [id],
    );
    for (const content of ['Still here', 'And still']) expectStatus(await say(app, token, content), 201);
    await expireVisitors(app.app.newCtx({ kind: 'system' }), new AbortController().signal);
    expect((await messagesOf(token)).length).toBe(5);
    expect((await app.call('GET', '/v1/conversations', { as: owner.token })).body.total).toBe(1);
    const { body } = await app.call('GET', `/v1/embeds/${id}/stats?days=1`, { as: owner.token });
    expect(body.days[0]).toMatchObject({ visitors: 1, messages: 2 });
    const { rows } = await app.db.query(
      `select s.expires_at > now() + interval '29 days' as extended
       from embed_sessions s join embed_visitors v on v.id = s.visitor_id where v.embed_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ extended: true }]);
  });

  test('is counted on a day once, and again on the next', async () => {
    const { id } = await createEmbed(app);
    const token = await newVisitor(app, id);
    await Promise.all([1, 2, 3].map(() => startVisit(app, id, { visitor_token: token })));
    const count = async () =>
      (await app.db.query('select visitors, new_visitors from embed_days where embed_id = $1 order by day', [id])).rows;
    expect(await count()).toEqual([{ visitors: 1, new_visitors: 1 }]);
    await app.db.query(`update embed_visitors set last_seen_at = now() - interval '1 day' where embed_id = $1`, [id]);
    await Promise.all([1, 2, 3].map(() => startVisit(app, id, { visitor_token: token })));
    expect(await count()).toEqual([{ visitors: 2, new_visitors: 1 }]);
  });
});

describe('the limits of an embed', () => {
  test('admit exactly the daily cap under parallel sends, and leave the owner the rest', async () => {
    const { id, owner, agentId } = await createEmbed(app, { limits: { per_day: 10, per_address_hour: 1_000 } });
    const visitors = await Promise.all(Array.from({ length: 40 }, () => newVisitor(app, id)));
    const answers = await Promise.all(visitors.map((token, i) => say(app, token, `Hello ${i}`)));
    const refused = answers.filter(({ status }) => status === 429);
    const accepted = answers.filter(({ status }) => status === 201);
    const others = answers.filter((answer) => !refused.includes(answer) && !accepted.includes(answer));
    expect([accepted.length, refused.length, others.map(({ body }) => body)]).toEqual([10, 30, []]);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    const { body } = await app.call('GET', `/v1/embeds/${id}/stats?days=1`, { as: owner.token });
    expect(body.days[0]).toMatchObject({ messages: 10, cost: 10, refused: { per_day: 30 } });
    const { body: conversations } = await app.call('GET', '/v1/conversations', { as: owner.token });
    expect(conversations.total).toBe(10);
    const own = await app.call('POST', '/v1/conversations', { as: owner.token, body: { agent_id: agentId } });
    const path = `/v1/conversations/${own.body.id}/messages`;
    expect((await app.call('POST', path, { as: owner.token, body: { content: 'My own' } })).status).toBe(201);
    const { rows } = await app.db.query(
      `select count(*)::int as n from outbox_events where account_id = $1 and type = 'embed.limit_reached'`,
      [owner.id],
    );
    expect(rows[0].n).toBe(1);
  });

  test('count an address whatever visitor it claims to be, without storing it', async () => {
    const { id } = await createEmbed(app, { limits: { per_address_hour: 3 } });
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await say(app, await newVisitor(app, id), `Hello ${i}`)).status);
    expect(statuses).toEqual([201, 201, 201, 429, 429]);
    const { rows } = await app.db.query(`select key from rate_limits where key like '%embed:%'`);
    expect(rows.some(({ key }) => /127\.0\.0\.1/.test(key) && key.includes('/3600'))).toBe(false);
    const other = await createEmbed(app, { limits: { per_address_hour: 3 } });
    expect((await say(app, await newVisitor(app, other.id), 'Hello')).status).toBe(201);
  });

  test('reveal nothing about the owner’s plan', async () => {
    const owner = await app.signUp();
    const { id } = await createEmbed(app, { limits: { per_day: 1_000 } }, owner);
    await app.db.query(
      `insert into usage_counters (user_id, day, messages) values ($1, (now() at time zone 'utc')::date, 50)`,
      [owner.id],
    );
    const { status, body } = await say(app, await newVisitor(app, id), 'Hello');
    expect([status, body.error.code]).toEqual([429, 'rate_limited']);
    expect(body.error.message).not.toMatch(/plan|50/);
  });
});

describe('identity', () => {
  test('recognizes the same customer on every device', async () => {
    const { id, embed } = await createEmbed(app, { identity: 'required' });
    const identity_token = await identityToken(embed.identity_secret, id, { name: 'Grace <b>' });
    const phone = await newVisitor(app, id, { identity_token });
    await say(app, phone, 'From the phone');
    const { body } = await startVisit(app, id, { identity_token });
    expect(body.messages).toHaveLength(3);
    expect(body.visitor_token).not.toBe(phone);
    expect((await messagesOf(phone)).length).toBe(3);
    const other = await identityToken(embed.identity_secret, id, { sub: 'customer-8' });
    expect((await startVisit(app, id, { identity_token: other, visitor_token: phone })).body.messages).toEqual([]);
  });

  test('is 401 where it is required and missing, expired, foreign, too long or badly signed', async () => {
    const { id, embed, owner } = await createEmbed(app, { identity: 'required' });
    const foreign = await createEmbed(app, { identity: 'required' }, owner);
    const secret = embed.identity_secret;
    const seconds = (offset: number) => Math.floor(Date.now() / 1_000) + offset;
    const good = await identityToken(secret, id);
    const [head = '', body = ''] = good.split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    const tokens = {
      missing: undefined,
      expired: await identityToken(secret, id, { exp: seconds(-120) }),
      'of another embed': await identityToken(foreign.embed.identity_secret, foreign.id),
      'with the audience of another embed': await identityToken(secret, foreign.id),
      'signed for this one by another': await identityToken(foreign.embed.identity_secret, id),
      'valid for ten years': await identityToken(secret, id, { exp: seconds(315_360_000) }),
      'without an end': await identityToken(secret, id, { exp: undefined }),
      'without a subject': await identityToken(secret, id, { sub: undefined }),
      'with alg none': none,
      'with an empty signature': `${head}.${body}.`,
      'with another algorithm': await identityToken(secret, id, {}, { alg: 'HS512' }),
      'not yet valid': await identityToken(secret, id, { nbf: seconds(600) }),
      nonsense: 'x.y.z',
    };
    for (const [kind, identity_token] of Object.entries(tokens)) {
      const { status, body: refused } = await startVisit(app, id, { identity_token });
      expect([kind, status, refused.error?.code]).toEqual([kind, 401, 'unauthenticated']);
    }
    const known = await newVisitor(app, id, { identity_token: good });
    expect((await startVisit(app, id, { visitor_token: known })).status).toBe(401);
  });

  test('is required of anonymous visitors with a token as soon as the owner requires it', async () => {
    const { id, embed, owner } = await createEmbed(app, { identity: 'optional' });
    const anonymous = await newVisitor(app, id);
    const identified = await newVisitor(app, id, { identity_token: await identityToken(embed.identity_secret, id) });
    await app.call('PUT', `/v1/embeds/${id}`, { as: owner.token, body: { identity: 'required' } });
    const refused = await say(app, anonymous, 'Hello');
    expect([refused.status, refused.body.error.code]).toEqual([401, 'unauthenticated']);
    expect((await app.call('GET', '/v1/embed/messages', { as: anonymous })).status).toBe(401);
    expect((await say(app, identified, 'Hello')).status).toBe(201);
  });

  test('optional: serves anonymous visitors, and refuses a bad token', async () => {
    const { id, embed } = await createEmbed(app, { identity: 'optional' });
    expect((await startVisit(app, id)).status).toBe(200);
    expect((await startVisit(app, id, { identity_token: 'x.y.z' })).status).toBe(401);
    const identified = await newVisitor(app, id, { identity_token: await identityToken(embed.identity_secret, id) });
    await say(app, identified, 'Private');
    expect((await startVisit(app, id, { visitor_token: identified })).body.messages).toEqual([]);
  });

  test('of an old secret is accepted for 24 hours after its rotation', async () => {
    const { id, embed, owner } = await createEmbed(app, { identity: 'required' });
    const old = await identityToken(embed.identity_secret, id);
    const { body } = await app.call('POST', `/v1/embeds/${id}/rotate-secret`, { as: owner.token });
    expect(body.identity_secret).not.toBe(embed.identity_secret);
    const statusOf = async (identity_token: string) => (await startVisit(app, id, { identity_token })).status;
    expect(await statusOf(old)).toBe(200);
    expect(await statusOf(await identityToken(body.identity_secret, id))).toBe(200);
    await app.db.query(`update embeds set previous_secret_expires_at = now() - interval '1 second' where id = $1`, [
      id,
    ]);
    expect(await statusOf(old)).toBe(401);
  });
});

describe('the token of a visitor', () => {
  test('is accepted nowhere else, and no other credential is accepted instead', async () => {
    const { id, owner } = await createEmbed(app);
    const token = await newVisitor(app, id);
    for (const path of ['/v1/conversations', '/v1/auth/me', '/v1/embeds', `/v1/embeds/${id}/visitors`])
      expect([path, (await app.call('GET', path, { as: token })).status]).toEqual([path, 401]);
    expect((await app.graphql('{ me { id } }', { as: token })).status).toBe(401);
    const key = await app.call('POST', '/v1/auth/api-keys', {
      as: owner.token,
      body: { name: 'all', scopes: ['conversations:write', 'embeds:write'] },
    });
    for (const credential of [owner.token, key.body.key, undefined, `vt1_${'a'.repeat(43)}`, 'vt1_short'])
      expect((await say(app, credential as string, 'Hello')).status).toBe(401);
  });

  test('of another embed creates a new visitor', async () => {
    const [one, other] = [await createEmbed(app), await createEmbed(app)];
    const token = await newVisitor(app, one.id);
    await say(app, token, 'Hello');
    const { body } = await startVisit(app, other.id, { visitor_token: token });
    expect(body.visitor_token).not.toBe(token);
    expect(body.messages).toEqual([]);
  });
});

test('only new visitors have to solve a challenge', async () => {
  const { id } = await createEmbed(app, { challenge: 'turnstile' });
  const { status, body } = await startVisit(app, id);
  expect([status, body.error.details[0].code]).toEqual([400, 'challenge_required']);
  expect((await startVisit(app, id, { challenge_token: 'wrong' })).status).toBe(400);
  const token = await newVisitor(app, id, { challenge_token: 'ok' });
  expect((await startVisit(app, id, { visitor_token: token })).status).toBe(200);
});

test('the routes of visitors allow no other origin and list their methods', async () => {
  const { id } = await createEmbed(app);
  const { headers } = await startVisit(app, id, { parent_origin: site });
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('cache-control')).toBe('no-store');
  const preflight = await app.send('OPTIONS', '/v1/embed/sessions', {
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, null]);
  const wrong = await app.call('GET', '/v1/embed/sessions');
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, DELETE, OPTIONS']);
  expect((await app.call('POST', '/v1/embed/sessions', { body: {} })).body.error.details[0].field).toBe('embed_id');
});

describe('the cap of a day', () => {
  test('counts a reply that is stopped before the first word, so that a visitor calls the model no more often', async () => {
    const { id, owner } = await createEmbed(app, { limits: { per_day: 3 } });
    const token = await newVisitor(app, id);
    app.model.script({ when: 'Stop me', deltas: ['never'], firstDeltaDelayMs: 60_000, times: Infinity });
    const sendAndStop = async (n: number): Promise<number> => {
      let status: number | null = null;
      const sent = say(app, token, `Stop me ${n}`).then((answer) => (status = answer.status));
      await eventually(async () => {
        const stopped = await app.call('POST', '/v1/embed/messages/stop', { as: token });
        return stopped.body.stopped === true || status !== null;
      });
      return sent;
    };
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push(await sendAndStop(n));
    expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true]);
    const usage = await app.call('GET', '/v1/billing/usage', { as: owner.token });
    expect(usage.body.usage.messages_sent).toBe(3);
  });

  test('gives back five failed replies of a visitor a day, also in new conversations', async () => {
    const { id, owner } = await createEmbed(app);
    const token = await newVisitor(app, id);
    app.model.script({ when: 'Fail', status: 500, times: Infinity });
    for (let n = 0; n < 7; n++) {
      expect((await say(app, token, `Fail ${n}`)).status).toBe(502);
      await app.call('DELETE', '/v1/embed/conversation', { as: token });
    }
    const usage = await app.call('GET', '/v1/billing/usage', { as: owner.token });
    expect(usage.body.usage.messages_sent).toBe(2);
    const stats = await app.call('GET', `/v1/embeds/${id}/stats?days=1`, { as: owner.token });
    expect(stats.body.days[0]).toMatchObject({ messages: 7, cost: 2 });
  });
});

describe('an Idempotency-Key', () => {
  test('belongs to one visitor: the owner and other visitors may use the same', async () => {
    const { id, agentId, owner } = await createEmbed(app);
    const headers = { 'idempotency-key': 'message-1' };
    const send = async (as: string, path: string) =>
      expectStatus(await app.call('POST', path, { as, headers, body: { content: 'Hello.' } }), 201).body;
    const conversation = await app.call('POST', '/v1/conversations', { as: owner.token, body: { agent_id: agentId } });
    await send(owner.token, `/v1/conversations/${conversation.body.id}/messages`);
    const token = await newVisitor(app, id);
    const first = await send(token, '/v1/embed/messages');
    expect((await send(token, '/v1/embed/messages')).user_message.id).toBe(first.user_message.id);
    const other = await send(await newVisitor(app, id), '/v1/embed/messages');
    expect(other.user_message.id).not.toBe(first.user_message.id);
    const invalid = { as: token, headers: { 'idempotency-key': 'x'.repeat(256) }, body: { content: 'Hello.' } };
    expect(await app.call('POST', '/v1/embed/messages', invalid)).toMatchObject({ status: 400 });
  });
});

describe('a refused identity', () => {
  const now = Math.floor(Date.now() / 1_000);
  const tokens: [fault: string, token: (secret: string, id: string) => Promise<string | undefined>][] = [
    ['missing', async () => undefined],
    ['malformed', async () => 'not.a.token'],
    ['algorithm', (secret, id) => identityToken(secret, id, {}, { alg: 'HS512' })],
    ['signature', (_secret, id) => identityToken('another secret of the website', id)],
    ['audience', (secret) => identityToken(secret, 'emb_other')],
    ['subject', (secret, id) => identityToken(secret, id, { sub: '' })],
    ['expiry_missing', (secret, id) => identityToken(secret, id, { exp: undefined })],
    ['expiry_too_late', (secret, id) => identityToken(secret, id, { exp: now + 86_400 })],
    ['expired', (secret, id) => identityToken(secret, id, { exp: now - 3_600 })],
  ];

  test('is explained to the owner by the statistics, and on the page in test mode only', async () => {
    const { id, embed, owner } = await createEmbed(app, { identity: 'required' });
    const refuse = async (fault: (typeof tokens)[number]) => {
      const refused = await startVisit(app, id, { identity_token: await fault[1](embed.identity_secret, id) });
      expect(refused.status).toBe(401);
      return refused.body.error;
    };
    for (const one of tokens) expect(await refuse(one)).not.toHaveProperty('details');
    const body = { test: true };
    expectStatus(await app.call('PUT', `/v1/embeds/${id}`, { as: owner.token, body }), 200);
    const shown = [];
    for (const one of tokens) shown.push((await refuse(one)).details[0].code);
    expect(shown).toEqual(tokens.map(([fault]) => fault));
    const stats = await app.call('GET', `/v1/embeds/${id}/stats?days=1`, { as: owner.token });
    expect(stats.body.days[0].identity_faults).toEqual(tokens.map(([fault]) => ({ fault, count: 2 })));
  });
});

describe('signing out of the website', () => {
  test('ends the session of the customer, by request or when the browser shows their token without their identity', async () => {
    const { id, embed } = await createEmbed(app, { identity: 'optional' });
    const identity_token = await identityToken(embed.identity_secret, id);
    const statusOf = async (as: string) => (await app.call('GET', '/v1/embed/messages', { as })).status;
    const first = await newVisitor(app, id, { identity_token });
    expect(await app.call('DELETE', '/v1/embed/sessions', { as: first })).toMatchObject({ body: { ended: true } });
    const second = await newVisitor(app, id, { identity_token });
    const anonymous = await newVisitor(app, id, { visitor_token: second });
    expect([await statusOf(first), await statusOf(second), await statusOf(anonymous)]).toEqual([401, 401, 200]);
    expect(await newVisitor(app, id, { visitor_token: anonymous, identity_token })).not.toBe(anonymous);
    expect(await statusOf(anonymous)).toBe(200);
  });
});
