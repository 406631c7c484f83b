import { afterAll, beforeAll, expect } from 'vitest';
import { createOwner, createRandomIds, type Owner } from '../contract/authorisation-seed.ts';
import {
  allOperations,
  type Operation,
  type Outcome,
  perform,
  type Transport,
  transportsOf,
} from '../contract/operation-caller.ts';
import { type Args, type Belongings, operationTable } from '../contract/operation-table.ts';
import { routes } from '../../rest/routes.ts';
import { expectStatus } from '../support/client.ts';
import { attack } from './lab/attack.ts';
import { type Lab, openLab } from './lab/lab.ts';

let lab: Lab;
let a: Owner;
let b: Owner;
const operations = allOperations();
const [nothing, others] = [createRandomIds(), createRandomIds()];
beforeAll(async () => {
  lab = openLab();
  [a, b] = await Promise.all([createOwner(lab.open), createOwner(lab.open)]);
});
afterAll(() => lab.close());

/** For what an operation takes beside ids; each is refused before that matters. */
const person = { email: 'a@example.com', password: 'none', refreshToken: 'rt_none' };

interface Cell {
  operation: Operation;
  via: Transport;
}

const cells: Cell[] = operations.flatMap((operation) => transportsOf(operation).map((via) => ({ operation, via })));
const argsOf = ({ name }: Operation, its: Belongings): Args => operationTable[name]?.args?.(its, person) ?? {};
const namesAnId = ({ operation }: Cell) =>
  JSON.stringify(argsOf(operation, nothing)) !== JSON.stringify(argsOf(operation, others));
const withIds = cells.filter(namesAnId);
const said = (text: string, its: Belongings): string =>
  Object.values(its).reduce((rest, id) => rest.replaceAll(id, 'ID'), text);
const ask = ({ operation, via }: Cell, its: Belongings, i = 0): Promise<Outcome> =>
  perform(i % 2 ? lab.open : lab.open.other, operation, via, a.token, argsOf(operation, its));
const label = ({ operation, via }: Cell) => `${operation.name} over ${via}`;

attack(
  'A22',
  "every operation that takes an id, with B's ids as A and with ids of nothing, over REST and GraphQL on both instances",
  async (score) => {
    await score.each(
      withIds.flatMap((cell) => [0, 1].map((i) => Object.assign([label(cell)], { cell, i }))),
      async ({ cell, i }) => {
        const [theirs, nothings] = await Promise.all([ask(cell, b.its, i), ask(cell, nothing, i)]);
        if (said(theirs.said, b.its) !== said(nothings.said, nothing))
          return `told apart: ${theirs.said} ${nothings.said}`;
        const denial = operationTable[cell.operation.name]?.denial ?? 'not_found';
        return theirs.code === denial ? null : (theirs.code ?? 'success');
      },
    );
  },
);

attack(
  'A22',
  "every path of /v1 with B's ids as A, with each method, beside the same path with ids of nothing",
  async (score) => {
    const paths = [...new Set(routes.map(({ path }) => path))].filter((path) => path.includes(':'));
    const fill = (path: string, its: Belongings): string =>
      path.replaceAll(/:([a-z_]+)/g, (_all, parameter: string) => idFor(path, parameter, its));
    await score.each(
      paths.flatMap((path) =>
        ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'POST'].map((method) => [method, path] as const),
      ),
      async ([method, path]) => {
        const call = async (its: Belongings) => {
          const body = method === 'GET' || method === 'HEAD' || method === 'DELETE' ? {} : { body: { limit: 1 } };
          const answer = await lab.open.call(method, `/v1${fill(path, its)}`, { as: a.token, ...body });
          return { status: answer.status, text: said(JSON.stringify(answer.body), its) };
        };
        const [theirs, nothings] = [await call(b.its), await call(nothing)];
        if (theirs.status < 400) return `${theirs.status}`;
        return theirs.status === nothings.status && theirs.text === nothings.text
          ? null
          : `told apart: ${theirs.text} ${nothings.text}`;
      },
    );
  },
);

attack('A22 A26', 'everything that B has is as it was', async (score) => {
  const paths = [
    '/v1/auth/me',
    '/v1/agents',
    '/v1/conversations',
    '/v1/webhooks',
    '/v1/integrations',
    '/v1/auth/api-keys',
    `/v1/knowledge/${b.its.agentId}/documents`,
  ];
  const totals = [undefined, 1, 1, 1, 1, 1, 1];
  await score.each(
    paths.map((path, i) => [path, totals[i]] as const),
    async ([path, total]) => {
      const { status, body } = await lab.open.call('GET', path, { as: b.token });
      const count = body.total ?? body.data?.length;
      return status === 200 && (total === undefined || count === total) ? null : `${status}, ${count} of them`;
    },
  );
});

/** The id that a path means by its parameter. */
function idFor(path: string, parameter: string, its: Belongings): string {
  const named = parameter.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
  if (named !== 'id') return its[named as keyof Belongings] ?? '';
  const kinds: [string, keyof Belongings][] = [
    ['/agents', 'agentId'],
    ['/conversations', 'conversationId'],
    ['/webhooks', 'webhookId'],
    ['/integrations', 'integrationId'],
    ['/auth/api-keys', 'apiKeyId'],
    ['/auth/sessions', 'sessionId'],
    ['/auth/export-data', 'exportId'],
  ];
  const kind = kinds.find(([start]) => path.startsWith(start));
  if (!kind) throw new Error(`${path}: it is not known whose id that is`);
  return its[kind[1]];
}

attack('A24', "B's private agent, and one that turns private in the middle of a conversation", async (score) => {
  const privately = b.its.agentId;
  const tries: [string, string, unknown?][] = [
    ['GET', `/v1/agents/${privately}`],
    ['POST', '/v1/conversations', { agent_id: privately }],
    ['GET', `/v1/conversations?agent_id=${privately}`],
    ['POST', `/v1/knowledge/${privately}/query`, { query: 'refunds' }],
    ['POST', '/v1/integrations/chat_messenger', { agent_id: privately, bot_token: '1:x' }],
    ['PUT', `/v1/agents/${privately}`, { is_public: true }],
  ];
  await score.each(tries, async ([method, path, body]) => {
    const answer = await lab.open.call(method, path, { as: a.token, ...(body ? { body } : {}) });
    return answer.status === 404 || answer.body.total === 0 ? null : `${answer.status}`;
  });
  const agent = await lab.open.createAgent(b.token, { is_public: true, greeting_message: 'Hello.' });
  const { id } = expectStatus(
    await lab.open.call('POST', '/v1/conversations', { as: a.token, body: { agent_id: agent.id } }),
    201,
  ).body;
  expectStatus(
    await lab.open.call('POST', `/v1/conversations/${id}/messages`, { as: a.token, body: { content: 'Hi.' } }),
    201,
  );
  expectStatus(await lab.open.call('PUT', `/v1/agents/${agent.id}`, { as: b.token, body: { is_public: false } }), 200);
  await score.each(['messages', 'messages/stream'], async (rest) => {
    const answer = await lab.open.other.call('POST', `/v1/conversations/${id}/${rest}`, {
      as: a.token,
      body: { content: 'And now?' },
    });
    return answer.status === 404 ? null : `${answer.status}`;
  });
  expectStatus(await lab.open.call('GET', `/v1/conversations/${id}`, { as: a.token }), 200);
});

attack('A25', "every answer that A can get about B's public agent, searched for what only B may see", async (score) => {
  const canary = 'canary-instructions-7f3a';
  const agent = await lab.open.createAgent(b.token, {
    is_public: true,
    name: 'Publicly',
    instructions: `You are ${canary}.`,
    greeting_message: 'Hello.',
  });
  const form = new FormData();
  form.append('file', new Blob(['The canary-document-7f3a is yellow.']), 'notes.txt');
  expectStatus(await lab.open.call('POST', `/v1/knowledge/${agent.id}/documents`, { as: b.token, body: form }), 201);
  const conversation = expectStatus(
    await lab.open.call('POST', '/v1/conversations', { as: a.token, body: { agent_id: agent.id } }),
    201,
  ).body;
  const sent = async (service: string, path: string) =>
    JSON.stringify((await lab.open.call(service, path, { as: a.token })).body);
  const nested = '{ agent { id name instructions greetingMessage creatorId } }';
  const answers: [string, () => Promise<string>][] = [
    ['agent', () => sent('GET', `/v1/agents/${agent.id}`)],
    ['explore', () => sent('GET', '/v1/agents/explore?q=Publicly&sort=recent')],
    ['conversation', () => sent('GET', `/v1/conversations/${conversation.id}`)],
    ['its list', () => sent('GET', '/v1/conversations')],
    ['documents', () => sent('GET', `/v1/knowledge/${agent.id}/documents`)],
    [
      'query',
      async () =>
        JSON.stringify(
          (await lab.open.call('POST', `/v1/knowledge/${agent.id}/query`, { as: a.token, body: { query: 'canary' } }))
            .body,
        ),
    ],
    [
      'GraphQL',
      async () =>
        JSON.stringify(
          (await lab.open.graphql(`{ agent(id: "${agent.id}") { id name instructions } }`, { as: a.token })).body,
        ),
    ],
    [
      'GraphQL, nested',
      async () =>
        JSON.stringify(
          (await lab.open.graphql(`{ conversation(id: "${conversation.id}") ${nested} }`, { as: a.token })).body,
        ),
    ],
    [
      'GraphQL, in lists',
      async () =>
        JSON.stringify(
          (
            await lab.open.graphql(
              `{ conversations { data ${nested} } exploreAgents(q: "Publicly") { data { id instructions } } }`,
              { as: a.token },
            )
          ).body,
        ),
    ],
    ['export', () => sent('GET', `/v1/conversations/${conversation.id}/export`)],
  ];
  await score.each(answers, async ([, get]) => {
    const text = await get();
    return [canary, 'canary-document', b.email].find((secret) => text.includes(secret)) ?? null;
  });
});

attack('A26', 'every list and count that A can ask for, searched for what is B’s', async (score) => {
  const lists = cells.filter(
    ({ operation }) => operation.name.startsWith('Query.') && !namesAnId({ operation, via: 'rest' }),
  );
  const theirs = Object.values(b.its).filter((id) => id !== '');
  const bodies: [string, () => Promise<string>][] = [
    ...routes
      .filter(({ method, path }) => method === 'GET' && !path.includes(':'))
      .map(
        ({ path }) =>
          [
            path,
            async () => JSON.stringify((await lab.open.call('GET', `/v1${path}?q=hello`, { as: a.token })).body),
          ] as [string, () => Promise<string>],
      ),
    ...lists.map(
      (cell) => [label(cell), async () => (await ask(cell, nothing)).said] as [string, () => Promise<string>],
    ),
  ];
  await score.each(bodies, async ([, get]) => {
    const text = await get();
    return theirs.find((id) => text.includes(id)) ?? (text.includes(b.email) ? b.email : null);
  });
  const counts: [string, string][] = [
    ['/v1/agents', 'select count(*) from agents where owner_id = $1'],
    ['/v1/conversations', 'select count(*) from conversations where user_id = $1'],
    ['/v1/webhooks', 'select count(*) from webhooks where user_id = $1'],
    ['/v1/integrations', 'select count(*) from integrations where owner_id = $1'],
    ['/v1/auth/audit-log', 'select count(*) from audit_events where user_id = $1'],
  ];
  await score.each(counts, async ([path, statement]) => {
    const { body } = await lab.open.call('GET', path, { as: a.token });
    const { rows } = await lab.open.db.query(statement, [a.id]);
    return body.total === Number(rows[0].count) ? null : `${body.total} instead of ${rows[0].count}`;
  });
});

attack('A27', 'members that only the service may set, in every body', async (score) => {
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

attack('A28', '__proto__ and constructor.prototype in every body, and what comes after', async (score) => {
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

attack('A30', "ids beside B's, in other spellings, and of other kinds", async (score) => {
  const { conversationId, agentId, webhookId } = b.its;
  const uuid = agentId;
  const near = Array.from({ length: 200 }, (_, i) => {
    const digits = (BigInt(`0x${uuid.replaceAll('-', '')}`) + BigInt(i - 100)).toString(16).padStart(32, '0');
    return [8, 13, 18, 23].reduce((text, at) => `${text.slice(0, at)}-${text.slice(at)}`, digits);
  });
  const spellings = [
    uuid,
    uuid.toUpperCase(),
    uuid.replaceAll('-', ''),
    `{${uuid}}`,
    `urn:uuid:${uuid}`,
    `${uuid}%00`,
    `${uuid}%20`,
    `${uuid}.json`,
    `${uuid};x=1`,
    '1',
    '0',
    '-1',
    '*',
    '%',
    '_',
    'null',
    'undefined',
    '[]',
    "' or 1=1--",
    conversationId,
    webhookId,
  ];
  await score.each([...near, ...spellings], async (id) => {
    const { status } = await lab.open.call('GET', `/v1/agents/${encodeURIComponent(id).replaceAll('%25', '%')}`, {
      as: a.token,
    });
    return [400, 404].includes(status) ? null : `${status}`;
  });
});
