import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app.ts';
import { expectStatus, readEvents } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { openSocket, subscribe } from '../support/socket.ts';

const secrets = { AUTH_SECRET: 'a'.repeat(40), ENCRYPTION_KEYS: 'b'.repeat(40) };

let worker: TestApp;
let web: TestApp;

beforeAll(async () => {
  worker = await startTestApp({ env: { ...secrets, ROLE: 'worker' } });
  web = await startTestApp({ env: { ...secrets, ROLE: 'web' }, databaseUrl: worker.databaseUrl });
});
afterAll(async () => {
  await web?.close();
  await worker?.close();
});

async function follow(as: string, args: string, signal: AbortSignal) {
  return readEvents(await web.subscribe({ query: `subscription { events(${args}) { type data } }` }, { as, signal }));
}

/** A stream polls every two seconds, so a median far below one second proves that it was notified. */
const soonMs = 300;

test.each(['worker', 'web'] as const)(
  'a web process is notified at once of an event that a %s process committed',
  async (where) => {
    const account = await web.signUp();
    const as = account.token;
    const agent = await web.createAgent(as);
    const { rows } = await web.db.query('select id from outbox_events where account_id = $1', [account.id]);
    const reader = new AbortController();
    const events = await follow(as, `types: [AGENT_UPDATED], after: "${rows[0].id}"`, reader.signal);
    const tookMs: number[] = [];
    const committing = { worker, web }[where];
    for (let n = 0; n < 6; n++) {
      const name = `Ada ${n}`;
      const arrived = events.next();
      const startedAt = performance.now();
      expectStatus(await committing.call('PUT', `/v1/agents/${agent.id}`, { as, body: { name } }), 200);
      expect((await arrived).value?.data.data.events.data.name).toBe(name);
      tookMs.push(performance.now() - startedAt);
    }
    reader.abort();
    // The first event may precede the stream, and a loaded machine may delay some others.
    expect(tookMs.slice(1).toSorted((a, b) => a - b)[1]).toBeLessThan(soonMs);
  },
);

/** Enough events for more than one page. */
const manyEvents = 1_100;

test('a stream without `after` yields nothing that was committed before it began', async () => {
  const account = await web.signUp();
  const agent = await web.createAgent(account.token);
  await web.db.query(
    `insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
     select 'evt_' || gen_random_uuid(), $1, 'agent.updated', '{"name":"before"}', now(), now() from generate_series(1, $2)`,
    [account.id, manyEvents],
  );
  const reader = new AbortController();
  const events = await follow(account.token, 'types: [AGENT_UPDATED, AGENT_CREATED]', reader.signal);
  const first = events.next();
  // The start of a stream cannot be observed, so send events until one arrives.
  const change = async () => {
    const body = { name: 'after' };
    while (!reader.signal.aborted) await web.call('PUT', `/v1/agents/${agent.id}`, { as: account.token, body });
  };
  const changing = change();
  try {
    expect((await first).value?.data.data.events.data.name).toBe('after');
  } finally {
    reader.abort();
    await changing;
  }
});

describe('a stream that resumes', () => {
  const insert = `
    insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
    select 'evt_' || gen_random_uuid(), $1, 'agent.updated', json_build_object('name', $2::text || n), now(), now()
    from generate_series(1, $3::int) n returning id`;

  async function resume(as: string, after: string) {
    const reader = new AbortController();
    const events = await follow(as, `after: "${after}"`, reader.signal);
    return {
      next: async () => (await events.next()).value?.data.data.events.data.name,
      end: () => reader.abort(),
    };
  }

  test('gets an event that was committed after a later one', async () => {
    const { id, token } = await web.signUp();
    const slow = await web.db.connect();
    try {
      await slow.query('begin');
      await slow.query(insert, [id, 'slow', 1]);
      const { rows } = await web.db.query<{ id: string }>(insert, [id, 'fast', 1]);
      const whileOpen = await resume(token, rows[0]!.id);
      await slow.query('commit');
      expect(await whileOpen.next()).toBe('slow1');
      whileOpen.end();
      const afterwards = await resume(token, rows[0]!.id);
      expect(await afterwards.next()).toBe('slow1');
      afterwards.end();
    } finally {
      slow.release();
    }
  });

  test('gets every later event once and in order, over many pages', async () => {
    const { id, token } = await web.signUp();
    const { rows } = await web.db.query<{ id: string }>(insert, [id, 'first', 1]);
    await web.db.query(insert, [id, 'later', 450]);
    const reader = await resume(token, rows[0]!.id);
    const names: string[] = [];
    while (names.length < 450) names.push(await reader.next());
    await web.db.query(insert, [id, 'last', 1]);
    expect(await reader.next()).toBe('last1');
    reader.end();
    expect(names).toEqual(Array.from({ length: 450 }, (_, n) => `later${n + 1}`));
  });

  test('gets the events behind one that is older than the columns it resumes by', async () => {
    const { id, token } = await web.signUp();
    const { rows } = await web.db.query<{ id: string }>(insert, [id, 'old', 3]);
    await web.db.query(`update outbox_events set xid = '0', xid_horizon = '0' where account_id = $1`, [id]);
    await web.db.query(insert, [id, 'new', 1]);
    const reader = await resume(token, rows[1]!.id);
    expect([await reader.next(), await reader.next()]).toEqual(['old3', 'new1']);
    reader.end();
  });
});

describe('the order of the events of one object', () => {
  const insert = `
    insert into outbox_events (id, account_id, type, data, created_at, dispatched_at)
    select 'evt_' || gen_random_uuid(), $1, 'agent.updated', json_build_object('name', 'n' || $2::int), now(), now()`;
  const firstOf = async (account: string): Promise<string> =>
    (await web.db.query(`select id from outbox_events where account_id = $1 order by seq limit 1`, [account])).rows[0]
      .id;
  const read = async (token: string, after: string, count: number): Promise<string[]> => {
    const reader = new AbortController();
    const events = await follow(token, `types: [AGENT_UPDATED], after: "${after}"`, reader.signal);
    const names: string[] = [];
    while (names.length < count) names.push((await events.next()).value?.data.data.events.data.name);
    reader.abort();
    return names;
  };

  test('is that in which they were written, whichever transaction began first', async () => {
    const { id, token } = await web.signUp();
    await web.createAgent(token);
    const after = await firstOf(id);
    const [early, late] = [await web.db.connect(), await web.db.connect()];
    await early.query('begin');
    await early.query('select pg_current_xact_id()');
    await late.query(insert, [id, 1]);
    await early.query(insert, [id, 2]);
    await early.query('commit');
    early.release();
    late.release();
    expect(await read(token, after, 2)).toEqual(['n1', 'n2']);
    const { body } = await web.graphql('{ recentEvents(limit: 2) { data { data } } }', { as: token });
    const names = body.data.recentEvents.data.map(({ data }: { data: { name: string } }) => data.name);
    expect(names).toEqual(['n2', 'n1']);
  });

  test('is that in which they were written, also by a statement that waited for the lock of the object', async () => {
    const { id, token } = await web.signUp();
    const agent = await web.createAgent(token);
    const after = await firstOf(id);
    const [first, second] = [await web.db.connect(), await web.db.connect()];
    await first.query('begin');
    await first.query('select from agents where id = $1 for update', [agent.id]);
    const waiting = second.query(
      `with locked as (update agents set name = name where id = $3 returning id)
       ${insert} from locked`,
      [id, 2, agent.id],
    );
    const isWaiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'with locked%'`;
    await eventually(async () => (await worker.db.query(isWaiting)).rows[0]);
    for (let n = 0; n < 20; n++) await worker.db.query('select pg_current_xact_id()');
    await first.query(insert, [id, 1]);
    await first.query('commit');
    await waiting;
    first.release();
    second.release();
    expect(await read(token, after, 2)).toEqual(['n1', 'n2']);
  });

  test('holds under parallel changes', async () => {
    const { token } = await web.signUp();
    const agent = await web.createAgent(token);
    const socket = await openSocket(web.baseUrl, token);
    await subscribe(socket, '1', 'account');
    const changes = 60;
    const change = async (from: number): Promise<void> => {
      for (let n = from; n < changes; n += 6) {
        const body = { name: `Ada ${n}` };
        expectStatus(await web.call('PUT', `/v1/agents/${agent.id}`, { as: token, body }), 200);
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(change));
    const sequences = () =>
      socket.frames.flatMap(({ type, data }) => (type === 'agent.updated' ? [Number(data?.['sequence'])] : []));
    await eventually(() => sequences().length === changes);
    socket.close();
    expect(sequences()).toEqual(sequences().toSorted((a, b) => a - b));
  });
});
