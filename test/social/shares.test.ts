import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { knowledgePlace, settled, upload } from '../support/knowledge.ts';
import { type Named, socialOf, tokenOf } from '../support/social.ts';

const secrets = { AUTH_SECRET: 'a'.repeat(32), ENCRYPTION_KEYS: 'e'.repeat(32) };

let app: TestApp;
let other: TestApp;
let social: ReturnType<typeof socialOf>;
let ada: Named;
let bob: Named;
/** Owner of the agents. */
let maker: Named;
beforeAll(async () => {
  app = await startTestApp({ env: secrets });
  other = await startTestApp({ env: secrets, databaseUrl: app.databaseUrl });
  social = socialOf(app);
  [ada, bob, maker] = await Promise.all([social.person('ada'), social.person('bob'), social.person('maker')]);
  await app.db.query(`update users set plan = 'creator'`);
});
afterAll(async () => {
  await other.close();
  await app.close();
});

interface Talk {
  id: string;
  agentId: string;
  /** Oldest first. */
  messages: { id: string; content: string }[];
}

const messagesOf = async (id: string, as = ada): Promise<Talk['messages']> =>
  (await social.get(`/conversations/${id}/messages?limit=100`, as)).data.reverse();

/** Creates a conversation of Ada with an agent of the maker: a greeting and two exchanges. */
async function talk(fields: object = {}): Promise<Talk> {
  const agent = { is_public: true, greeting_message: 'Hello.', ...fields };
  const { id: agentId } = await app.createAgent(maker.token, agent);
  const { id } = expectStatus(await social.send('POST', '/conversations', ada, { agent_id: agentId }), 201).body;
  for (const content of ['First question', 'Second question'])
    expectStatus(await social.send('POST', `/conversations/${id}/messages`, ada, { content }), 201);
  return { id, agentId, messages: await messagesOf(id) };
}

const shareTalk = (id: string, fields: object = {}) =>
  social.share(ada, { type: 'conversation', conversation_id: id, ...fields });
const open = (token: string, of = app, as?: Named) => of.call('GET', `/v1/shares/${token}`, { as: as?.token });
const contents = (messages: { content: string }[]) => messages.map(({ content }) => content);

describe('the share of a conversation', () => {
  test('shows the chosen messages as they were, without a name, to anyone with the link', async () => {
    const { id, agentId, messages } = await talk();
    const share = await shareTalk(id, { up_to_message_id: messages[2]?.id, title: 'Primes', note: 'Well put.' });
    expect(share).toMatchObject({
      id: expect.stringMatching(/^shr_/),
      type: 'conversation',
      agent_id: agentId,
      conversation_id: id,
      title: 'Primes',
      note: 'Well put.',
      url: expect.stringMatching(/\/share\/[\w-]{43}$/),
      anonymous: true,
      in_feed: false,
      indexable: false,
      message_count: 3,
      view_count: 0,
      revoked_at: null,
    });
    await social.send('POST', `/conversations/${id}/messages`, ada, { content: 'Later' });
    const seen = await open(tokenOf(share));
    expect([seen.status, seen.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(seen.body).toMatchObject({
      title: 'Primes',
      note: 'Well put.',
      agent_name: 'Ada',
      agent: { id: agentId, name: 'Ada' },
      shared_by: null,
      indexable: false,
    });
    expect(contents(seen.body.messages)).toEqual(contents(messages.slice(0, 3)));
    expect(Object.keys(seen.body.messages[0]).sort()).toEqual(['content', 'role']);
    for (const secret of [ada.id, ada.name, ada.email, id, 'patient tutor'])
      expect(JSON.stringify(seen.body)).not.toContain(secret);
    const chosen = await shareTalk(id, { message_ids: [messages[3]?.id, messages[1]?.id] });
    expect(contents((await open(tokenOf(chosen))).body.messages)).toEqual([messages[1]?.content, messages[3]?.content]);
  });

  test('stores its token as a hash, returns the link once, and counts the views of others', async () => {
    const { id } = await talk();
    const share = await shareTalk(id);
    for (const as of [bob, undefined, ada]) expectStatus(await open(tokenOf(share), app, as), 200);
    const [listed] = (await social.get('/social/shares', ada)).data;
    expect(listed).toMatchObject({ id: share.id, url: null, view_count: 2, message_count: 5 });
    const { rows } = await app.db.query(`select shares::text as row from shares where id = $1`, [share.id]);
    expect(rows[0].row).not.toContain(tokenOf(share));
    expect(await social.statuses(open(share.id), open('x'.repeat(43)), open('..'), open('%00'))).toEqual([
      404, 404, 404, 404,
    ]);
  });

  test('leaves out which documents a reply used', async () => {
    const place = await knowledgePlace(app);
    const { body: document } = await upload(app, place, 'secret-plans.txt', 'The lighthouse opens at nine in summer.');
    await settled(app, place, document.id);
    const as = { as: place.token };
    const { body: conversation } = await app.call('POST', '/v1/conversations', {
      ...as,
      body: { agent_id: place.agentId },
    });
    const body = { content: 'When does the lighthouse open?' };
    expectStatus(await app.call('POST', `/v1/conversations/${conversation.id}/messages`, { ...as, body }), 201);
    const asked = { type: 'conversation', conversation_id: conversation.id };
    const { body: share } = await app.call('POST', '/v1/social/shares', { ...as, body: asked });
    const text = JSON.stringify((await open(tokenOf(share))).body);
    expect(text).toContain('opens at nine');
    for (const secret of [document.id, 'chk_', 'citations']) expect(text).not.toContain(secret);
  });

  test('is refused for messages and conversations of others, and for messages that cannot be shared', async () => {
    const mine = await talk();
    const theirs = await app.createConversation(bob.token);
    const [foreign] = await messagesOf(theirs.id, bob);
    const refused = async (fields: object) => {
      const { status, body } = await social.send('POST', '/social/shares', ada, { type: 'conversation', ...fields });
      return [status, body.error.details?.[0]?.field ?? body.error.code, body.error.details?.[0]?.code];
    };
    const conversation_id = mine.id;
    expect(await refused({ conversation_id: theirs.id })).toEqual([404, 'not_found', undefined]);
    for (const id of [foreign?.id, 'msg_nonsense']) {
      expect(await refused({ conversation_id, message_ids: [id] })).toEqual([400, 'message_ids', 'unknown_message']);
      expect(await refused({ conversation_id, up_to_message_id: id })).toEqual([
        400,
        'up_to_message_id',
        'unknown_message',
      ]);
    }
    expect(await refused({})).toEqual([400, 'conversation_id', 'required']);
    expect(await refused({ conversation_id, in_feed: true, anonymous: true })).toEqual([
      400,
      'anonymous',
      'conflicting',
    ]);
    expect(await refused({ conversation_id, in_feed: true })).toEqual([400, 'anonymous', 'conflicting']);
    expect(await refused({ conversation_id, note: 'x'.repeat(501) })).toEqual([400, 'note', 'too_long']);
    await app.db.query(
      `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
       select 'msg_' || gen_random_uuid(), $1, $2, 100 + i, 'user', 'More', now() from generate_series(1, 200) i`,
      [mine.id, ada.id],
    );
    expect(await refused({ conversation_id })).toEqual([400, 'message_ids', 'too_big']);
    await app.db.query(`update conversations set source = 'embed' where id = $1`, [mine.id]);
    expect(await refused({ conversation_id })).toEqual([400, 'conversation_id', 'other_people']);
  });

  test('that is revoked is gone at once, on every instance, and its messages are erased', async () => {
    const { id } = await talk();
    const share = await shareTalk(id);
    expect(await social.statuses(open(tokenOf(share)), open(tokenOf(share), other))).toEqual([200, 200]);
    expect(await social.statuses(social.send('DELETE', `/social/shares/${share.id}`, bob))).toEqual([404]);
    const revoked = await social.remove(`/social/shares/${share.id}`, ada);
    expect(revoked).toMatchObject({ id: share.id, revoked_at: expect.any(String), url: null });
    expect(await social.statuses(open(tokenOf(share)), open(tokenOf(share), other))).toEqual([404, 404]);
    expect(await social.remove(`/social/shares/${share.id}`, ada)).toEqual(revoked);
    const { rows } = await app.db.query(`select snapshot from shares where id = $1`, [share.id]);
    expect(rows[0].snapshot).toBeNull();
    const again = social.send('POST', `/shares/${tokenOf(share)}/continue`, bob);
    expect(await social.statuses(again)).toEqual([404]);
  });

  test('is deleted with its conversation or agent, and keeps only the name of an agent that became private', async () => {
    const { id, agentId } = await talk({ name: 'Tutor' });
    const token = tokenOf(await shareTalk(id));
    await social.put(`/agents/${agentId}`, maker, { is_public: false, name: 'Renamed' });
    const { body } = await open(token);
    expect(body).toMatchObject({ agent_name: 'Tutor', agent: null, agent_id: null });
    expect(JSON.stringify(body)).not.toContain(agentId);
    await social.remove(`/conversations/${id}`, ada);
    expect(await social.statuses(open(token), open(token, other))).toEqual([404, 404]);

    const second = await talk();
    const secondToken = tokenOf(await shareTalk(second.id));
    await social.remove(`/agents/${second.agentId}`, maker);
    expect(await social.statuses(open(secondToken))).toEqual([404]);
  });

  test('is hidden from those whom its owner blocks, and while the owner’s account is being deleted', async () => {
    const { body: owner } = await app.call('POST', '/v1/auth/register', {
      body: { email: 'leaver@example.com', password: 'correct horse battery' },
    });
    const as = { as: owner.access_token };
    const conversation = await app.createConversation(owner.access_token);
    const body = { type: 'conversation', conversation_id: conversation.id };
    const { body: share } = await app.call('POST', '/v1/social/shares', { ...as, body });
    await app.call('PUT', `/v1/social/blocks/${bob.id}`, as);
    expect(await social.statuses(open(tokenOf(share), app, bob), open(tokenOf(share)))).toEqual([404, 200]);
    await app.call('DELETE', '/v1/auth/me', as);
    expect(await social.statuses(open(tokenOf(share)))).toEqual([404]);
    await app.call('POST', '/v1/auth/restore', {
      body: { email: 'leaver@example.com', password: 'correct horse battery' },
    });
    expect(await social.statuses(open(tokenOf(share)))).toEqual([200]);
  });
});

test('an account has at most 1,000 links at a time', async () => {
  const { id } = await talk();
  const first = await shareTalk(id);
  await app.db.query(
    `insert into shares (id, owner_id, type, agent_id, token_hash, agent_name, anonymous, in_feed, indexable, message_count, created_at)
     select 'shr_' || gen_random_uuid(), s.owner_id, 'agent', s.agent_id, decode(md5(i::text), 'hex'), '', true, false, false, 0, now()
     from shares s, generate_series(1, 1000) i where s.id = $1`,
    [first.id],
  );
  const { status, body } = await social.send('POST', '/social/shares', ada, {
    type: 'conversation',
    conversation_id: id,
  });
  expect([status, body.error.code]).toEqual([409, 'conflict']);
  await app.db.query(`delete from shares where owner_id = $1 and agent_name = ''`, [ada.id]);
});

describe('continuing a share', () => {
  test('creates a copy for the caller without counting a message, and does not change the original', async () => {
    const { id, agentId, messages } = await talk();
    const token = tokenOf(await shareTalk(id, { up_to_message_id: messages[2]?.id, title: 'Primes' }));
    const before = await social.get('/billing/usage', bob);
    const copy = expectStatus(await social.send('POST', `/shares/${token}/continue`, bob), 201).body;
    expect(copy).toMatchObject({ agent_id: agentId, title: 'Primes', message_count: 3 });
    expect(copy.id).not.toBe(id);
    expect(contents(await messagesOf(copy.id, bob))).toEqual(contents(messages.slice(0, 3)));
    expect(await social.get('/billing/usage', bob)).toEqual(before);
    expectStatus(await social.send('POST', `/conversations/${copy.id}/messages`, bob, { content: 'And 97?' }), 201);
    expect(await messagesOf(copy.id, bob)).toHaveLength(5);
    expect(await messagesOf(id)).toHaveLength(messages.length);
    expect((await app.call('POST', `/v1/shares/${token}/continue`)).status).toBe(401);
  });

  test('counts as a social write, and copies at most 100 conversations a day', async () => {
    const { id, agentId } = await talk();
    const [copied, agent] = [
      tokenOf(await shareTalk(id)),
      tokenOf(await social.share(ada, { type: 'agent', agent_id: agentId })),
    ];
    const reader = await social.person('reader');
    const resume = (token: string, of = app) => of.call('POST', `/v1/shares/${token}/continue`, { as: reader.token });
    const today = async () =>
      (await app.db.query(`select writes, copies from social_days where user_id = $1`, [reader.id])).rows;
    expect(await social.statuses(resume(copied), resume(agent))).toEqual([201, 201]);
    expect(await today()).toEqual([{ writes: 2, copies: 1 }]);
    await app.db.query(`update social_days set copies = 99 where user_id = $1`, [reader.id]);
    expect((await resume(copied)).status).toBe(201);
    const over = await resume(copied);
    expect([over.status, over.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await resume(agent)).status).toBe(201);
    expect(await today()).toEqual([{ writes: 4, copies: 100 }]);
    expect((await social.get('/conversations', reader)).total).toBe(4);
    await app.db.query(`update social_days set writes = 1000, copies = 0 where user_id = $1`, [reader.id]);
    expect(await social.statuses(resume(copied), resume(agent))).toEqual([429, 429]);

    const strict = await startTestApp({
      databaseUrl: app.databaseUrl,
      env: { ...secrets, DATA_DIR: app.dataDir, RATE_LIMITS: JSON.stringify({ socialWrites: { free: 1 } }) },
    });
    try {
      await app.db.query(`update social_days set writes = 0 where user_id = $1`, [reader.id]);
      expect([(await resume(copied, strict)).status, (await resume(agent, strict)).status]).toEqual([201, 429]);
    } finally {
      await strict.close();
    }
  });

  test('copies a large share in batches, accepts messages afterwards, and makes one such copy at a time', async () => {
    const { id, agentId } = await talk();
    const words = Array.from({ length: 20_000 }, (_, i) => `w${i * 7919}`).join(' ');
    await app.db.query(
      `insert into messages (id, conversation_id, user_id, position, role, content, created_at)
       select 'msg_' || gen_random_uuid(), $1, $2, 100 + i, 'user', i || ' ' || left($3, 99000), now() from generate_series(1, 10) i`,
      [id, ada.id, words],
    );
    const token = tokenOf(await shareTalk(id));
    const reader = await social.person('patient');
    await app.db.query(`update users set plan = 'creator' where id = $1`, [reader.id]);
    const path = `/shares/${token}/continue`;
    const copy = expectStatus(await social.send('POST', path, reader), 201).body;
    const sending = () => social.send('POST', `/conversations/${copy.id}/messages`, reader, { content: 'And now?' });
    expect([(await sending()).status, (await social.send('POST', path, reader)).status]).toEqual([409, 409]);
    await eventually(async () => (await social.get(`/conversations/${copy.id}`, reader)).message_count === 15);
    await eventually(async () => (await sending()).status === 201);
    const { rows } = await app.db.query(
      `select m.position, m.parent_id = p.id as follows, left(m.content, 3) as start from messages m
       left join messages p on p.conversation_id = m.conversation_id and p.position = m.position - 1
       where m.conversation_id = $1 order by m.position`,
      [copy.id],
    );
    expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: 17 }, (_, i) => i + 1));
    expect(rows.slice(1).every(({ follows }) => follows)).toBe(true);
    expect(rows.slice(5, 15).map(({ start }) => Number.parseInt(start, 10))).toEqual(
      Array.from({ length: 10 }, (_, i) => i + 1),
    );
    const { rows: days } = await app.db.query(`select copies from social_days where user_id = $1`, [reader.id]);
    expect(days).toEqual([{ copies: 2 }]);
    expect((await social.get(`/agents/${agentId}`, maker)).message_count).toBeLessThan(10);
  });

  test('counts an attempt that fails', async () => {
    const { id, agentId } = await talk();
    const token = tokenOf(await shareTalk(id));
    const reader = await social.person('failing');
    await social.put(`/agents/${agentId}`, maker, { is_public: false });
    expect(await social.statuses(social.send('POST', `/shares/${token}/continue`, reader))).toEqual([404]);
    const { rows } = await app.db.query(`select writes, copies from social_days where user_id = $1`, [reader.id]);
    expect(rows).toEqual([{ writes: 1, copies: 1 }]);
  });

  test('ends a copy with what was copied when the share is revoked', async () => {
    const { id } = await talk();
    const share = await shareTalk(id);
    const copy = expectStatus(await social.send('POST', `/shares/${tokenOf(share)}/continue`, bob), 201).body;
    await social.remove(`/social/shares/${share.id}`, ada);
    await app.db.query(`update conversations set copying_share_id = $2 where id = $1`, [copy.id, share.id]);
    const sending = () => social.send('POST', `/conversations/${copy.id}/messages`, bob, { content: 'And now?' });
    const refused = await sending();
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
      409,
      'conflict',
      '2',
    ]);
    await app.db.query(
      `insert into tasks (kind, key, payload, run_at, max_attempts, created_at)
       values ('share.copy', $1, jsonb_build_object('conversationId', $1::text), now(), 5, now())`,
      [copy.id],
    );
    await eventually(async () => (await sending()).status === 201);
    expect(await messagesOf(copy.id, bob)).toHaveLength(7);
  });

  test('returns 404 once the agent is private, and 403 for a key without the scope', async () => {
    const { id, agentId } = await talk();
    const token = tokenOf(await shareTalk(id));
    const key = await social.send('POST', '/auth/api-keys', bob, { name: 'reader', scopes: ['social:write'] });
    expect((await app.call('POST', `/v1/shares/${token}/continue`, { as: key.body.key })).status).toBe(403);
    await social.put(`/agents/${agentId}`, maker, { is_public: false });
    expect(await social.statuses(social.send('POST', `/shares/${token}/continue`, bob))).toEqual([404]);
  });
});

describe('the share of an agent', () => {
  test('names its owner, shows the agent while it is public, and starts a conversation', async () => {
    const agent = await app.createAgent(bob.token, { name: 'Open', is_public: true, greeting_message: 'Hi.' });
    const share = await social.share(ada, { type: 'agent', agent_id: agent.id, note: '<script>alert(1)</script>' });
    expect(share).toMatchObject({ anonymous: false, conversation_id: null, message_count: 0 });
    const { body } = await open(tokenOf(share));
    expect(body).toMatchObject({
      type: 'agent',
      note: '<script>alert(1)</script>',
      messages: [],
      agent: { id: agent.id, name: 'Open' },
      shared_by: { id: ada.id, username: ada.name },
    });
    const started = expectStatus(await social.send('POST', `/shares/${tokenOf(share)}/continue`, ada), 201).body;
    expect(contents(await messagesOf(started.id))).toEqual(['Hi.']);
    expect(started.agent_id).toBe(agent.id);
    await social.put(`/agents/${agent.id}`, bob, { is_public: false });
    expect(await social.statuses(open(tokenOf(share)))).toEqual([404]);
    const hidden = await social.send('POST', '/social/shares', bob, { type: 'agent', agent_id: agent.id });
    expect([hidden.status, hidden.body.error.details[0].code]).toEqual([400, 'not_public']);
  });
});
