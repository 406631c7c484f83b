import { expect } from 'vitest';
import { expectStatus } from '../support/client.ts';
import { attack } from './lab/attack.ts';
import { openLab } from './lab/lab.ts';

const lab = openLab();
const [a, b] = await Promise.all([lab.open.signUp(), lab.open.signUp()]);

attack('A17 A51', 'every later response about a key and a webhook, searched for their secrets', async (score) => {
  const as = a.token;
  const made = expectStatus(
    await lab.open.call('POST', '/v1/auth/api-keys', { as, body: { name: 'k', scopes: ['account:read'] } }),
    201,
  ).body;
  const hook = expectStatus(
    await lab.open.call('POST', '/v1/webhooks', {
      as,
      body: { url: 'https://127.0.0.1:9443/', events: ['agent.created'] },
    }),
    201,
  ).body;
  const answers: [string, string, unknown?][] = [
    ['GET', '/v1/auth/api-keys'],
    ['GET', '/v1/auth/audit-log'],
    ['GET', '/v1/auth/sessions'],
    ['GET', '/v1/webhooks'],
    ['GET', `/v1/webhooks/${hook.id}`],
    ['PUT', `/v1/webhooks/${hook.id}`, { active: true, secret: 'a secret of my own' }],
    ['GET', `/v1/webhooks/${hook.id}/deliveries`],
    ['GET', `/v1/webhooks/${hook.id}/stats`],
    ['POST', `/v1/webhooks/${hook.id}/test`, {}],
  ];
  const secrets = [made.key.slice(3 + 4, -4), hook.secret.slice(10)];
  await score.each(answers, async ([method, path, body]) => {
    const answer = await lab.open.call(method, path, { as, ...(body === undefined ? {} : { body }) });
    const text = JSON.stringify(answer.body);
    return answer.status >= 400
      ? `${answer.status}`
      : secrets.some((secret) => text.includes(secret)) && 'it contains a secret';
  });
  const asKey = await lab.open.call('DELETE', '/v1/auth/me', { as: made.key });
  score.tried();
  expect([asKey.status, JSON.stringify(asKey.body).includes(made.key.slice(8, 30))]).toEqual([403, false]);
  const { key_hint: hint } = (await lab.open.call('GET', '/v1/auth/api-keys', { as })).body.data[0];
  expect(hint).toMatch(/^ak_.{4}\.\.\..{4}$/);
  const fields = ['webhooks', 'apiKeys'].map((name) =>
    lab.open.graphql(`{ ${name} { data { secret key hash } } }`, { as }),
  );
  for (const { body } of await Promise.all(fields)) {
    score.tried();
    expect(body.errors).toBeDefined();
  }
});

attack(
  'A18 A19',
  'keys that request more scopes than they have, unknown scopes, the same scope twice, and none',
  async (score) => {
    const create = (as: string, scopes: unknown, more: object = {}) =>
      lab.open.call('POST', '/v1/auth/api-keys', { as, body: { name: 'k', scopes, ...more } });
    const { key } = expectStatus(await create(a.token, ['account:write']), 201).body;
    const cases: [string, string, unknown, number][] = [
      ['wider', key, ['agents:read'], 403],
      ['wider beside its own', key, ['account:read', 'billing:write'], 403],
      ['everything', key, ['*'], 400],
      ['unknown', a.token, ['agents:delete'], 400],
      ['unknown kind', a.token, ['admin'], 400],
      ['another case', a.token, ['Agents:Read'], 400],
      ['with space', a.token, ['agents:read '], 400],
      ['joined', a.token, ['agents:read agents:write'], 400],
      ['empty', a.token, [], 400],
      ['text', a.token, 'agents:read', 400],
      ['object', a.token, { 0: 'agents:read', length: 1 }, 400],
      ['null in it', a.token, [null], 400],
      ['none', a.token, undefined, 400],
    ];
    await score.each(cases, async ([, as, scopes, status]) => {
      const answer = await create(as, scopes);
      return answer.status === status ? null : `${answer.status} ${JSON.stringify(answer.body)}`;
    });
    const twice = expectStatus(await create(a.token, ['agents:read', 'agents:read']), 201);
    expect(twice.body.scopes).toEqual(['agents:read']);
    const own = expectStatus(await create(key, ['account:read']), 201).body;
    const rotated = await lab.open.call('POST', `/v1/auth/api-keys/${own.id}/rotate`, {
      as: key,
      body: { scopes: ['billing:write'] },
    });
    score.tried(2);
    expect(rotated.body.scopes).toEqual(['account:read']);
  },
);

attack('A20', 'a thousand uses of keys on the other instance right after their revocation', async (score) => {
  const as = a.token;
  await score.each(
    Array.from({ length: 100 }, (_, i) => i),
    async (i) => {
      const { id, key } = expectStatus(
        await lab.open.call('POST', '/v1/auth/api-keys', { as, body: { name: `k${i}`, scopes: ['account:read'] } }),
        201,
      ).body;
      expectStatus(await lab.open.other.call('GET', '/v1/auth/me', { as: key }), 200);
      expectStatus(await lab.open.call('DELETE', `/v1/auth/api-keys/${id}`, { as }), 200);
      const uses = await Promise.all(
        Array.from({ length: 10 }, () => lab.open.other.call('GET', '/v1/auth/me', { as: key })),
      );
      score.tried(9);
      return uses.every(({ status }) => status === 401) ? null : 'it was admitted';
    },
    4,
  );
});

attack('A21', "B's key, deleted and rotated by A", async (score) => {
  const made = expectStatus(
    await lab.open.call('POST', '/v1/auth/api-keys', { as: b.token, body: { name: 'b', scopes: ['account:read'] } }),
    201,
  ).body;
  await score.each(
    [
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['GET', ''],
      ['PUT', ''],
    ],
    async ([method = '', rest = '']) => {
      const { status } = await lab.open.call(method, `/v1/auth/api-keys/${made.id}${rest}`, {
        as: a.token,
        ...(method === 'POST' ? { body: {} } : {}),
      });
      return [404, 405].includes(status) ? null : `${status}`;
    },
  );
  expectStatus(await lab.open.call('GET', '/v1/auth/me', { as: made.key }), 200);
});
