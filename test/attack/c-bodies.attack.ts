import { expect } from 'vitest';
import { createOwner } from '../contract/authorisation-seed.ts';
import { routes } from '../../rest/routes/routes.ts';
import { expectStatus } from '../support/client.ts';
import { attack } from './lab/attack.ts';
import { openLab } from './lab/lab.ts';

const lab = openLab();
const [a, b] = await Promise.all([createOwner(lab.open), createOwner(lab.open)]);

attack('A27', 'fields that only the service may set, in every body', async (score) => {
  const forbidden = {
    id: 'mine',
    creator_id: a.id,
    owner_id: a.id,
    user_id: a.id,
    creatorId: a.id,
    plan: 'creator',
    email_verified: true,
    email: 'eve@example.com',
    is_admin: true,
    role: 'admin',
    message_count: 9_999,
    created_at: '1999-01-01T00:00:00.000Z',
    updated_at: '1999-01-01T00:00:00.000Z',
    status: 'ready',
    chunk_count: 9,
    secret_is_generated: false,
    key: 'ak_mine',
    key_hint: 'ak_mine',
    last_used_at: '1999-01-01T00:00:00.000Z',
    password: 'x',
    password_hash: 'x',
    token: 'x',
    sequence: 9,
    connected_at: '1999-01-01T00:00:00.000Z',
    processor_customer_id: 'cus_x',
    failure_count: -5,
    disabled_at: null,
  };
  const as = b.token;
  const writes: [string, string, object][] = [
    ['PUT', '/v1/auth/me', { bio: 'me' }],
    ['POST', '/v1/agents', { name: 'M', instructions: 'Teach.' }],
    ['PUT', `/v1/agents/${b.its.agentId}`, { name: 'M' }],
    ['POST', '/v1/conversations', { agent_id: b.its.agentId }],
    ['POST', `/v1/conversations/${b.its.conversationId}/messages`, { content: 'Hi there.', role: 'user' }],
    ['POST', '/v1/auth/api-keys', { name: 'm', scopes: ['account:read'] }],
    ['POST', '/v1/webhooks', { url: 'https://example.com/', events: ['agent.created'] }],
    ['PUT', `/v1/webhooks/${b.its.webhookId}`, { events: ['agent.created'] }],
    ['POST', '/v1/integrations/chat_messenger', { agent_id: b.its.agentId, bot_token: '1:mass' }],
    ['PUT', `/v1/integrations/${b.its.integrationId}`, { auto_respond: true }],
  ];
  const { role: _role, status: _status, ...withoutRole } = forbidden;
  await score.each(
    writes,
    async ([method, path, body]) => {
      const members = path.includes('/messages') ? { ...withoutRole, ...body } : { ...forbidden, ...body };
      const answer = await lab.open.call(method, path, { as, body: members });
      if (answer.status >= 400) return answer.status === 400 ? null : `${answer.status} ${JSON.stringify(answer.body)}`;
      const text = JSON.stringify(answer.body);
      return (
        ['"mine"', a.id, '9999', '1999-', 'ak_mine', 'eve@example', 'cus_x'].find((mark) => text.includes(mark)) ?? null
      );
    },
    1,
  );
  const me = (await lab.open.call('GET', '/v1/auth/me', { as })).body;
  expect([me.id, me.email, me.plan, me.email_verified]).toEqual([b.id, b.email, 'creator', false]);
  expectStatus(await lab.open.call('POST', '/v1/auth/login', { body: { email: b.email, password: b.password } }), 200);
  const { rows } = await lab.open.db.query(`select id from agents where name = 'M' and owner_id <> $1`, [b.id]);
  expect(rows).toEqual([]);
  const register = {
    email: `mass-${process.pid}@example.com`,
    password: 'correct horse battery',
    plan: 'creator',
    email_verified: true,
    id: a.id,
  };
  const fresh = expectStatus(await lab.open.call('POST', '/v1/auth/register', { body: register }), 201).body;
  score.tried();
  const profile = (await lab.open.call('GET', '/v1/auth/me', { as: fresh.access_token })).body;
  expect([profile.plan, profile.email_verified, profile.id === a.id]).toEqual(['free', false, false]);
});

attack('A28', '__proto__ and constructor.prototype in every body, and later requests', async (score) => {
  const spells = [
    '"__proto__":{"is_public":true,"polluted":"yes","isPublic":true,"plan":"creator","scopes":["billing:write"],"limit":1}',
    '"constructor":{"prototype":{"polluted":"yes","is_public":true,"isPublic":true}}',
    '"__proto__":{"__proto__":{"polluted":"yes"}}',
    '"__proto__":null',
    '"toString":"x","valueOf":"x","hasOwnProperty":"x"',
    '"__defineGetter__":"x","__lookupSetter__":{}',
  ];
  const posts = routes.filter(({ body }) => body !== undefined);
  await score.each(
    posts.flatMap((route) =>
      spells.map((spell) => [route.method, `/v1${route.path.replaceAll(/:[a-z_]+/g, 'none')}`, spell] as const),
    ),
    async ([method, path, spell]) => {
      const given = '"name":"P","instructions":"Teach.","email":"x","content":"x"';
      const answer = await lab.open.call(method, path, { as: a.token, body: `{${given},${spell}}` });
      return answer.status >= 500 ? `${answer.status}` : null;
    },
  );
  await score.each(spells, async (spell) => {
    const { body } = await lab.open.call('POST', '/v1/agents', {
      as: a.token,
      body: `{"name":"P","instructions":"Teach.",${spell}}`,
    });
    if (body.is_public !== false) return 'the agent is public';
    const query = `mutation ($input: CreateAgentInput!) { createAgent(input: $input) { isPublic } }`;
    const variables = `{"input":{"name":"P","instructions":"Teach.",${spell}}}`;
    const overGraphql = await lab.open.call('POST', '/graphql', {
      as: a.token,
      body: `{"query":${JSON.stringify(query)},"variables":${variables},${spell}}`,
    });
    return overGraphql.status >= 500 || overGraphql.body.data?.createAgent?.isPublic === true
      ? `GraphQL: ${JSON.stringify(overGraphql.body)}`
      : null;
  });
  for (const service of [lab.open, lab.open.other]) {
    const plain = expectStatus(
      await service.call('POST', '/v1/agents', { as: a.token, body: { name: 'P', instructions: 'T' } }),
      201,
    ).body;
    expect([plain.is_public, plain.polluted]).toEqual([false, undefined]);
  }
});
