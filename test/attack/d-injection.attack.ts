import { expect } from 'vitest';
import { createOwner } from '../contract/authorisation-seed.ts';
import { allOperations, type Operation, perform, type Transport, transportsOf } from '../contract/operation-caller.ts';
import { type Args, operationTable } from '../contract/operation-table.ts';
import { attack } from './lab/attack.ts';
import { openLab } from './lab/lab.ts';
import { payloadsOf } from './lab/payloads.ts';
import { inside, judge, judgeTime } from './lab/judge.ts';

const [injection, markup, search] = ['injection', 'markup', 'search'].map(payloadsOf) as [string[], string[], string[]];

const lab = openLab();
const a = await createOwner(lab.open);
/** Restores the plan, which earlier attacks may have changed. */
const allowAgents = () => lab.open.db.query(`update users set plan = 'creator' where id = $1`, [a.id]);

const slowMs = 2_500;

/** Operations that end accounts, sessions or objects: the attacker's own would be gone before the rest is tried. */
const ends = /delete|logout|revoke|rotate|changePassword|Query\.exportConversation/;

interface Cell {
  operation: Operation;
  via: Transport;
}

/** Yields the arguments with one of their strings replaced, for each string. */
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
  'the corpus in every string argument of every operation, over REST and GraphQL',
  async (score) => {
    const cells: Cell[] = allOperations()
      .filter(({ name }) => !ends.test(name) && !name.startsWith('Subscription.'))
      .flatMap((operation) => transportsOf(operation).map((via) => ({ operation, via })));
    let turn = 0;
    const tries = cells.flatMap(({ operation, via }) => {
      const args = operationTable[operation.name]?.args?.(a.its, a) ?? {};
      // Each argument gets a different tenth of the corpus in turn, so that each kind of argument receives all of it.
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
          // No GraphQL document can contain this value for an enum; only REST is tried.
          if (String(error).includes('cannot represent value')) return null;
          throw error;
        });
        if (outcome === null) return null;
        const { code, said } = outcome;
        if (code === 'internal_error' || code?.startsWith('status 5')) return `${code}: ${said}`;
        if (inside.test(said)) return said;
        // Accepted requests of these routes may be slow: the simulated synthesizer speaks the whole text, and pictures are
        // encoded. Refusals happen before that, so they must be fast.
        const waits =
          /speech|speak|transcribe/i.test(operation.name) || (code === null && /uploadImage/.test(operation.name));
        return waits ? null : judgeTime(startedAt, slowMs);
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

attack('A69', 'search syntax, long, unusual and empty, in `q` of both searches', async (score) => {
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
  score.note(`slowest ${Math.round(slowest)} ms, client included`);
});

attack('A70', 'markup in messages, titles and the query itself, as returned in `highlight`', async (score) => {
  await allowAgents();
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

/** Only alternating `<mark>` and `</mark>`, and no other angle bracket or quote. */
function isSafeHighlight(html: string): boolean {
  const tags = html.match(/<\/?mark>/g) ?? [];
  const inTurn = tags.every((tag, i) => tag === (i % 2 ? '</mark>' : '<mark>')) && tags.length % 2 === 0;
  return inTurn && !/[<>"']/.test(html.replaceAll(/<\/?mark>/g, ''));
}

attack('A71', 'wildcards of LIKE in the search of the feed', async (score) => {
  await allowAgents();
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
