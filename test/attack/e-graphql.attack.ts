import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { attack } from './lab/attack.ts';
import { openLab, raw } from './lab/lab.ts';

const lab = openLab();
const [a, shipped] = await Promise.all([lab.open.signUp(), lab.shipped.signUp()]);

attack('A32 A36 A31', 'introspection, tracing and misspelt fields in production', async (score) => {
  const queries = [
    '{ __schema { types { name } } }',
    '{ __type(name: "User") { fields { name } } }',
    'query { me { id } __schema { queryType { name } } }',
    '{ mee { id } }',
    '{ me { emial } }',
    'mutation { logn { id } }',
  ];
  await score.each(queries, async (query) => {
    const { body } = await lab.shipped.graphql(query, { as: shipped.token });
    const text = JSON.stringify(body);
    return body.data || /did you mean|"tracing"|stacktrace/i.test(text) ? text : null;
  });
  const page = await raw(lab.shipped.baseUrl, { path: '/graphql', headers: { accept: 'text/html' } });
  score.tried();
  expect(JSON.stringify(page.body)).not.toMatch(/<html/i);
});

attack('A33 A37', 'expensive documents and variables', async (score) => {
  const deep = (n: number) => `${'{ conversations { data { agent '.repeat(n)}{ id }${' } } }'.repeat(n)}`;
  const aliases = Array.from({ length: 1_000 }, (_, i) => `a${i}: me { id }`).join(' ');
  const bombs: [string, object | string][] = [
    ['depth', { query: deep(8) }],
    ['aliases', { query: `{ ${aliases} }` }],
    ['circle', { query: '{ me { ...A } } fragment A on User { ...B } fragment B on User { ...A }' }],
    ['self', { query: '{ me { ...A } } fragment A on User { id ...A }' }],
    ['directives', { query: `{ me ${'@skip(if: false) '.repeat(500)} { id } }` }],
    ['tokens', { query: `{ ${'me { id } '.repeat(1_000)} }` }],
    ['comment', { query: `#${'x'.repeat(2_000_000)}\n{ me { id } }` }],
    ['nesting', { query: '{'.repeat(10_000) }],
    ['brackets', { query: `query ($a: ${'['.repeat(900)}Int${']'.repeat(900)}) { me { id } }` }],
    ['value', { query: `{ exploreAgents(q: ${'['.repeat(900)}${']'.repeat(900)}) { total } }` }],
    ['number', { query: 'query ($n: Int) { agents(limit: $n) { total } }', variables: { n: 1e308 } }],
    [
      'list',
      {
        query: 'query ($q: String!) { searchConversations(q: $q) { total } }',
        variables: { q: Array(10_000).fill('x') },
      },
    ],
    [
      'object',
      `{"query":"mutation ($i: CreateAgentInput!) { createAgent(input: $i) { id } }","variables":{"i":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}}`,
    ],
  ];
  await score.each(
    bombs,
    async ([, body]) => {
      const startedAt = performance.now();
      const answer = await lab.open.call('POST', '/graphql', { as: a.token, body });
      const ms = performance.now() - startedAt;
      if (![400, 413].includes(answer.status) && !answer.body.errors) return `${answer.status}`;
      return answer.status >= 500 || ms > 1_000 ? `${answer.status} in ${Math.round(ms)} ms` : null;
    },
    1,
  );
});

attack(
  'A34 A35 A39 A38',
  'batches, forms, GET, persisted queries, @defer and a flood of subscriptions',
  async (score) => {
    const login = 'mutation { login(input: { email: "x@example.com", password: "x" }) { accessToken } }';
    const persisted = (sha256Hash: string, query?: string) =>
      JSON.stringify({ query, extensions: { persistedQuery: { version: 1, sha256Hash } } });
    const models = '{ models { data { id } } }';
    const hash = createHash('sha256').update(models).digest('hex');
    const tries: [string, string, Record<string, string>, string | undefined][] = [
      [
        'POST',
        '/graphql',
        { 'content-type': 'application/json' },
        JSON.stringify(Array.from({ length: 100 }, () => ({ query: login }))),
      ],
      ['GET', `/graphql?query=${encodeURIComponent(login)}`, {}, undefined],
      [
        'POST',
        '/graphql',
        { 'content-type': 'application/x-www-form-urlencoded' },
        `query=${encodeURIComponent(login)}`,
      ],
      ['POST', '/graphql', { 'content-type': 'text/plain' }, JSON.stringify({ query: login })],
      // Registered under its own hash and under another one, then requested by hash.
      ['POST', '/graphql', { 'content-type': 'application/json' }, persisted(hash, models)],
      ['POST', '/graphql', { 'content-type': 'application/json' }, persisted('0'.repeat(64), models)],
      ['POST', '/graphql', { 'content-type': 'application/json' }, persisted(hash)],
      [
        'POST',
        '/graphql',
        { 'content-type': 'application/json' },
        JSON.stringify({ query: '{ me { id ... @defer { email } } }' }),
      ],
      [
        'POST',
        '/graphql',
        { 'content-type': 'application/json' },
        JSON.stringify({ query: 'subscription { events { id } }' }),
      ],
    ];
    await score.each(tries, async ([method, path, headers, body]) => {
      const { status, body: said } = await raw(lab.open.baseUrl, {
        method,
        path,
        headers: { ...headers, authorization: `Bearer ${a.token}` },
        ...(body ? { body } : {}),
      });
      return status >= 500 || (status < 300 && (said as { data?: unknown }).data)
        ? `${status} ${JSON.stringify(said)}`
        : null;
    });
    const leave = new AbortController();
    const body = JSON.stringify({ query: 'subscription { events { id } }' });
    const headers = {
      authorization: `Bearer ${a.token}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    };
    const open = await Promise.all(
      Array.from({ length: 200 }, () =>
        fetch(`${lab.open.baseUrl}/graphql/stream`, { method: 'POST', headers, body, signal: leave.signal }),
      ),
    );
    score.tried(200);
    const refused = async ({ body: stream }: Response): Promise<boolean> => {
      let text = '';
      for await (const piece of stream ?? []) {
        text += Buffer.from(piece).toString();
        if (text.includes('RATE_LIMITED')) return true;
      }
      return false;
    };
    // Accepted connections stay open without sending anything.
    const silence = delay(6_000, false);
    const said = await Promise.all(
      open.map((response) => Promise.race([refused(response).catch(() => false), silence])),
    );
    leave.abort();
    expect(said.filter(Boolean).length).toBeGreaterThanOrEqual(175);
  },
);
