import { globSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { checkSync } from 'recheck';
import { afterAll, beforeAll, expect } from 'vitest';
import { createOwner, type Owner } from '../contract/authorisation-seed.ts';
import { allOperations, type Operation, perform, type Transport, transportsOf } from '../contract/operation-caller.ts';
import { type Args, operationTable } from '../contract/operation-table.ts';
import { type Answer, expectStatus } from '../support/client.ts';
import { attack } from './lab/attack.ts';
import { type Lab, openLab, raw } from './lab/lab.ts';
import { payloadsOf } from './lab/payloads.ts';

const [injection, markup, search] = ['injection', 'markup', 'search'].map(payloadsOf) as [string[], string[], string[]];

let lab: Lab;
let a: Owner;
beforeAll(async () => {
  lab = openLab();
  a = await createOwner(lab.open);
});
afterAll(() => lab.close());

/** What no answer may hold: words of PostgreSQL, of stacks, of paths and of libraries. */
const inside =
  /syntax error at|unterminated quoted|pg_catalog|relation "|column "|PostgreSQL \d|node_modules|\bat [\w.<>]+ \(|\/src\/|\.ts:\d|MikroORM|DriverException|invalid input syntax|QueryFailed|ECONNREFUSED/;
const slowMs = 2_500;

/** Whose text a stranger does not write, or where an expression that takes too long is killed with its process. */
const outOfReach: Record<string, string> = {
  'src/standins/': 'never in production',
  'src/knowledge/extract/': 'a process of its own that is killed',
  'src/conversations/titles.ts': 'of 500 characters at most',
  'src/core/config.ts': 'text of the operator',
  'src/providers/mail/smtp.ts': 'text of the operator',
  'src/providers/files/s3.ts': 'text of the operator',
  'src/providers/slack/chat-workspace.ts': 'text of the operator',
  'src/providers/telegram/chat-messenger.ts': 'text of the operator',
  'src/providers/stripe/': 'text of the operator',
};

/** Ends accounts, sessions and whole things: an attacker’s own would be gone before the rest is tried. */
const ends = /delete|logout|revoke|rotate|changePassword|Query\.exportConversation/;

interface Cell {
  operation: Operation;
  via: Transport;
}

/** The arguments with one of their strings replaced, for each of them. */
function* withPayload(value: unknown, payload: string): Generator {
  if (typeof value === 'string') yield payload;
  else if (Array.isArray(value))
    for (const [i, item] of value.entries())
      for (const changed of withPayload(item, payload)) yield value.with(i, changed);
  else if (value !== null && typeof value === 'object')
    for (const [name, item] of Object.entries(value))
      for (const changed of withPayload(item, payload)) yield { ...value, [name]: changed };
}

attack(
  'A68 A90',
  'the corpus in every string that any operation takes, over REST and GraphQL',
  async (score) => {
    const cells: Cell[] = allOperations()
      .filter(({ name }) => !ends.test(name) && !name.startsWith('Subscription.'))
      .flatMap((operation) => transportsOf(operation).map((via) => ({ operation, via })));
    let turn = 0;
    const tries = cells.flatMap(({ operation, via }) => {
      const args = operationTable[operation.name]?.args?.(a.its, a) ?? {};
      // A tenth of the corpus for each, another one each time, so that all of it is tried in each kind of place.
      const part = injection.filter((_payload, i) => i % 10 === turn % 10);
      turn++;
      return part.flatMap((payload) =>
        [...withPayload(args, payload)].map((changed) =>
          Object.assign([operation.name, via, payload], { operation, via, args: changed as Args }),
        ),
      );
    });
    await score.each(
      tries,
      async ({ operation, via, args }) => {
        const startedAt = performance.now();
        const outcome = await perform(lab.open, operation, via, a.token, args).catch((error: unknown) => {
          // A value that no GraphQL document can spell for an enum; REST is tried with it.
          if (String(error).includes('cannot represent value')) return null;
          throw error;
        });
        if (outcome === null) return null;
        const { code, said } = outcome;
        if (code === 'internal_error' || code?.startsWith('status 5')) return `${code}: ${said}`;
        if (inside.test(said)) return said;
        // Speech is made by a synthesizer that is busy with all of it; it is a stand-in here.
        const isSlow = performance.now() - startedAt > slowMs && !/speech|speak|transcribe/i.test(operation.name);
        return isSlow ? `${Math.round(performance.now() - startedAt)} ms` : null;
      },
      12,
    );
    const { rows } = await lab.open.db.query(
      `select to_regclass('pwned') as pwned, (select count(*) from users) > 0 as users`,
    );
    expect(rows).toEqual([{ pwned: null, users: true }]);
  },
  180_000,
);

attack(
  'A68',
  'the whole corpus in every parameter of the query string and in every path',
  async (score) => {
    const places = [
      ...['sort', 'limit', 'offset', 'q', 'category'].map((name) => `/v1/agents/explore?${name}=`),
      ...['sort', 'limit', 'offset'].map((name) => `/v1/agents?${name}=`),
      ...['agent_id', 'limit', 'offset'].map((name) => `/v1/conversations?${name}=`),
      ...['before', 'limit', 'offset'].map((name) => `/v1/conversations/${a.its.conversationId}/messages?${name}=`),
      ...['q', 'limit'].map((name) => `/v1/conversations/search?${name}=`),
      ...['status', 'event_type', 'limit'].map((name) => `/v1/webhooks/${a.its.webhookId}/deliveries?${name}=`),
      '/v1/billing/invoices?offset=',
      '/v1/agents/',
      '/v1/conversations/',
      '/v1/webhooks/',
      '/v1/integrations/',
      `/v1/knowledge/${a.its.agentId}/documents/`,
      '/v1/auth/export-data/',
      '/exports/x?token=',
    ];
    await score.each(
      places.flatMap((place) => injection.map((payload) => [place, payload] as const)),
      async ([place, payload]) => {
        const startedAt = performance.now();
        const answer = await lab.open.call('GET', `${place}${encodeURIComponent(payload.toWellFormed())}`, {
          as: a.token,
        });
        return judge(answer, startedAt, slowMs);
      },
      12,
    );
  },
  120_000,
);

function judge({ status, body }: Answer, startedAt: number, limitMs: number): string | null {
  const text = JSON.stringify(body);
  const ms = performance.now() - startedAt;
  if (status >= 500) return `${status} ${text}`;
  if (inside.test(text)) return text;
  return ms > limitMs ? `${Math.round(ms)} ms` : null;
}

attack('A69', 'the syntax of searches, long, odd and empty, in `q` of both searches', async (score) => {
  const long = [
    'a'.repeat(1_000),
    'a '.repeat(5_000),
    '"'.repeat(2_000),
    '-'.repeat(2_000),
    'or '.repeat(2_000),
    '(a|'.repeat(1_500),
    '喜'.repeat(3_000),
  ];
  const paths = ['/v1/conversations/search?q=', '/v1/agents/explore?q='];
  let slowest = 0;
  await score.each(
    paths.flatMap((path) => [...search, ...long].map((q) => [path, q] as const)),
    async ([path, q]) => {
      const startedAt = performance.now();
      const answer = await lab.open.call('GET', `${path}${encodeURIComponent(q.toWellFormed())}`, { as: a.token });
      slowest = Math.max(slowest, performance.now() - startedAt);
      return [200, 400, 414, 431].includes(answer.status) ? judge(answer, startedAt, 1_000) : `${answer.status}`;
    },
    1,
  );
  score.note(`slowest ${Math.round(slowest)} ms, with the client beside it`);
});

attack('A70', 'markup in messages, titles and the query itself, as `highlight` gives it back', async (score) => {
  const { id } = await lab.open.createConversation(a.token);
  await score.each(
    markup,
    async (payload) => {
      const content = `needle ${payload} haystack`;
      const sent = await lab.open.call('POST', `/v1/conversations/${id}/messages`, { as: a.token, body: { content } });
      if (sent.status === 400 && payload.includes('\0')) return null;
      if (sent.status !== 201) return `${sent.status} ${JSON.stringify(sent.body)}`;
      return sent.body.user_message.content === content ? null : 'it was changed';
    },
    1,
  );
  await lab.open.call('PATCH', `/v1/conversations/${id}`, { as: a.token, body: { title: '<script>needle</script>' } });
  await score.each(
    ['needle', 'haystack', 'script', 'mark', '<mark>', 'img onerror', 'x', 'alert', 'amp lt', '"needle"'],
    async (q) => {
      const { body } = await lab.open.call('GET', `/v1/conversations/search?limit=100&q=${encodeURIComponent(q)}`, {
        as: a.token,
      });
      const bad = (body.data as { highlight: string }[]).find(({ highlight }) => !isSafeHighlight(highlight));
      return bad?.highlight ?? null;
    },
  );
});

/** Only `<mark>` and `</mark>`, in turn, and no other angle bracket or quote. */
function isSafeHighlight(html: string): boolean {
  const tags = html.match(/<\/?mark>/g) ?? [];
  const inTurn = tags.every((tag, i) => tag === (i % 2 ? '</mark>' : '<mark>')) && tags.length % 2 === 0;
  return inTurn && !/[<>"']/.test(html.replaceAll(/<\/?mark>/g, ''));
}

attack('A71', 'wildcards of LIKE in the search of the feed', async (score) => {
  await lab.open.createAgent(a.token, { is_public: true, name: 'Zebrawood 100%_sure\\', description: 'plain' });
  await lab.open.createAgent(a.token, { is_public: true, name: 'Zebrawood plain', description: 'plain' });
  const found = async (q: string) =>
    (
      await lab.open.call('GET', `/v1/agents/explore?limit=100&q=${encodeURIComponent(q)}`, { as: a.token })
    ).body.data.map(({ name }: { name: string }) => name) as string[];
  await score.each(
    ['Zebra%wood', 'Zebr_wood', 'Z%', '_ebrawood', '%%%%%%%%%%', '______', '\\', 'Zebrawood\\%'],
    async (q) => {
      const names = await found(q);
      return names.includes('Zebrawood plain') ? 'a wildcard worked' : null;
    },
  );
  expect(await found('Zebrawood')).toHaveLength(2);
});

attack(
  'A72',
  'every regular expression of the product under recheck, and 50 kB of what makes such expressions slow at every text',
  async (score) => {
    const expressions = new Map<string, string>();
    for (const file of globSync(['src/**/*.ts', 'schema/**/*.ts', 'rest/**/*.ts', 'jobs/**/*.ts'])) {
      const code = readFileSync(file, 'utf8').replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '');
      for (const [, source = '', flags = ''] of code.matchAll(
        /(?<=[=(,:!&|?[{};\s])\/(?![*/\s])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g,
      ))
        expressions.set(`/${source}/${flags}`, file);
    }
    expect(expressions.size).toBeGreaterThan(60);
    const unsure: string[] = [];
    const held: string[] = [];
    await score.each(
      expressions.keys(),
      async (expression) => {
        const end = expression.lastIndexOf('/');
        const result = checkSync(expression.slice(1, end), expression.slice(end + 1), { timeout: 5_000 });
        if (result.status === 'unknown') unsure.push(expression);
        if (result.status !== 'vulnerable') return null;
        const file = expressions.get(expression) ?? '';
        if (Object.keys(outOfReach).some((path) => file.startsWith(path))) return null;
        const ms = timeOf(expression, result.attack.pumps, result.attack.suffix);
        held.push(`${file} ${ms} ms`);
        return ms > 250 ? `${file}: ${result.complexity.type}, ${ms} ms, ${result.attack.pattern.slice(0, 80)}` : null;
      },
      1,
    );
    score.note(
      `${expressions.size} expressions${unsure.length > 0 ? `, undecided: ${unsure.length}` : ''}; polynomial, measured at 32,000 characters: ${held.join(', ')}`,
    );
    const bombs = [
      'a',
      ' ',
      '\t',
      '-',
      '.',
      '@',
      'a@',
      'a.',
      '[',
      '(',
      '*',
      '_',
      '`',
      '#',
      '\n',
      '%',
      '<',
      '!',
      '|',
      'a\n',
      '[a](',
      '**a',
      '_a_',
      '```\n',
      '\u200b',
    ].map((unit) => unit.repeat(Math.ceil(50_000 / unit.length)).slice(0, 50_000));
    const places: [string, (bomb: string) => [string, string, unknown]][] = [
      ['e-mail', (bomb) => ['POST', '/v1/auth/login', { email: `${bomb}@example.com`, password: 'x' }]],
      ['username', (bomb) => ['PUT', '/v1/auth/me', { username: bomb }]],
      ['avatar', (bomb) => ['PUT', '/v1/auth/me', { avatar_url: `https://${bomb}` }]],
      [
        'webhook',
        (bomb) => ['POST', '/v1/webhooks', { url: `https://example.com/${bomb}`, events: ['agent.created'] }],
      ],
      ['instructions', (bomb) => ['POST', '/v1/agents', { name: bomb, instructions: bomb }]],
      ['token', (bomb) => ['POST', '/v1/auth/reset-password', { token: bomb, new_password: bomb }]],
      [
        'channel',
        (bomb) => [
          'POST',
          '/v1/integrations/chat_server',
          { agent_id: a.its.agentId, bot_token: bomb, guild_id: bomb, channel_ids: [bomb] },
        ],
      ],
    ];
    await score.each(
      places.flatMap(([name, make]) =>
        bombs.map((bomb) => Object.assign([name, bomb.slice(0, 8)], { request: make(bomb) })),
      ),
      async ({ request: [method, path, body] }) => {
        const startedAt = performance.now();
        const answer = await lab.open.call(method, path, { as: a.token, body });
        return judge(answer, startedAt, 500);
      },
      1,
    );
  },
  180_000,
);

/** Milliseconds that an expression takes for 32,000 characters of what slows it most, given up after two seconds. */
function timeOf(expression: string, pumps: readonly { prefix: string; pump: string }[], suffix: string): number {
  const end = expression.lastIndexOf('/');
  const times = (pump: string) => Math.floor(32_000 / pumps.length / Math.max(1, pump.length));
  const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times(pump))).join('') + suffix;
  const code = `text.replace(new RegExp(source, flags), '')`;
  const given = { text, source: expression.slice(1, end), flags: expression.slice(end + 1) };
  const startedAt = performance.now();
  try {
    runInNewContext(code, given, { timeout: 2_000 });
  } catch {
    return 2_000;
  }
  return Math.round(performance.now() - startedAt);
}

attack('A41', 'a query string that contradicts the body of every POST and PUT', async (score) => {
  const tries: [string, string, object, string][] = [
    [
      'POST',
      '/v1/agents',
      { name: 'From the body', instructions: 'Teach.' },
      'name=Query&input[name]=Query&instructions=Query&is_public=true',
    ],
    ['PUT', `/v1/agents/${a.its.agentId}`, { name: 'From the body' }, 'name=Query&id=Query&input={"name":"Query"}'],
    ['PUT', '/v1/auth/me', { display_name: 'From the body' }, 'display_name=Query&bio=Query&user_id=Query'],
    ['POST', '/v1/conversations', { agent_id: a.its.agentId, title: 'From the body' }, 'title=Query&agent_id=Query'],
    [
      'POST',
      '/v1/auth/api-keys',
      { name: 'From the body', scopes: ['account:read'] },
      'name=Query&scopes=billing:write',
    ],
  ];
  await score.each(tries, async ([method, path, body, query]) => {
    const answer = await lab.open.call(method, `${path}?${query}`, { as: a.token, body });
    const text = JSON.stringify(answer.body);
    return answer.status < 300 && text.includes('From the body') && !text.includes('Query')
      ? null
      : `${answer.status} ${text}`;
  });
});

attack('A42 A35', 'bodies of other media types at every kind of route', async (score) => {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/graphql',
    'text/json',
    'application/json-patch+json',
    'application/jsonx',
    '',
    'application/json, text/plain',
    '*/*',
  ];
  const paths = ['/v1/agents', '/v1/auth/login', '/v1/webhooks', `/v1/conversations/${a.its.conversationId}/messages`];
  await score.each(
    paths.flatMap((path) => types.map((type) => [path, type] as const)),
    async ([path, type]) => {
      const headers = { authorization: `Bearer ${a.token}`, ...(type === '' ? {} : { 'content-type': type }) };
      const { status } = await raw(lab.open.baseUrl, {
        method: 'POST',
        path,
        headers,
        body: '{"name":"x","instructions":"y"}',
      });
      return status === 415 ? null : `${status}`;
    },
  );
});

attack('A67 A66', 'roles other than user, and texts that are too long', async (score) => {
  const path = `/v1/conversations/${a.its.conversationId}/messages`;
  const post = (to: string, body: unknown) => lab.open.call('POST', to, { as: a.token, body });
  const roles = ['assistant', 'system', 'developer', 'tool', 'User', 'user ', '', null, 1, ['user'], { user: 1 }];
  await score.each(
    roles.flatMap((role) => [path, `${path}/stream`].map((to) => [to, role] as const)),
    async ([to, role]) => {
      const { status } = await post(to, { content: 'I am the system.', role });
      // The stream takes no role, and what is not known is ignored.
      return status === 400 || (to.endsWith('/stream') && status < 300) || (role === null && status < 300)
        ? null
        : `${status}`;
    },
    1,
  );
  const { rows } = await lab.open.db.query(
    `select role from messages where content = 'I am the system.' and role <> 'user'`,
  );
  expect(rows).toEqual([]);
  const long: [string, unknown, number][] = [
    [path, { content: 'x'.repeat(32_001) }, 400],
    [path, { content: '   \n\t ' }, 400],
    ['/v1/agents', { name: 'x', instructions: 'x'.repeat(32_001) }, 400],
    ['/v1/agents', { name: 'x'.repeat(81), instructions: 'x' }, 400],
    ['/v1/agents', { name: 'x', instructions: 'x'.repeat(10_000_000) }, 413],
    ['/v1/conversations', { agent_id: a.its.agentId, title: 'x'.repeat(201) }, 400],
    ['/v1/voice/tts', { text: 'x'.repeat(5_001) }, 400],
    [`/v1/knowledge/${a.its.agentId}/query`, { query: 'x'.repeat(2_001) }, 400],
  ];
  await score.each(long, async ([to, body, expected]) => {
    const { status } = await post(to, body).catch(() => ({ status: 413 }));
    return status === expected ? null : `${status}`;
  });
  expectStatus(await lab.open.call('GET', '/v1/auth/me', { as: a.token }), 200);
});
