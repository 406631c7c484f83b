import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { comesToRest, readHoldings } from '../../support/holdings.ts';
import { findViolations } from '../../support/invariants.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { type FaultHarness, openConversations, openFaultHarness, signUpCreator } from './fault-harness.ts';
import { eventsOf, openStream, readStream, textOf } from './raw-stream.ts';

const clients = countOf({ quick: 100, long: 1_000 });
const pieces = Array.from({ length: 60 }, (_, i) => `piece ${i} `);
const pieceEveryMs = countOf({ quick: 25, long: 150 });
const startsAtOnce = 10;
/** They disconnect long before the end: a client that has the reply does not retry. */
const maxPieces = 20;
let harness: FaultHarness;
let provider: TcpProxy;

beforeAll(async () => {
  harness = await openFaultHarness({ keepRequests: clients * 10 });
  provider = await startTcpProxy(harness.model.baseUrl);
});
afterAll(async () => {
  await harness.close();
  await provider.stop();
});

test(
  'stores replies whose clients disconnect at random, frees their resources, and replays on retry',
  async ({ task }) => {
    const service = await harness.start({ OPENAI_BASE_URL: provider.url });
    const { baseUrl } = service;
    const ada = await signUpCreator(service, harness.db);
    const ids = await openConversations(service, ada.token, clients + 1);
    const contentOf = (id: string) => `Count for ${id}`;
    const messageTo = (id: string) => ({ as: ada.token, id, content: contentOf(id) });
    harness.model.script({ when: /^Count for /, deltas: pieces, deltaDelayMs: pieceEveryMs, times: clients * 3 });
    await readStream(baseUrl, messageTo(ids.pop()!));
    const before = await readHoldings(service);

    let left = 0;
    const leave = async (id: string) => {
      const answer = await openStream(baseUrl, messageTo(id));
      let staysFor = 1 + Math.floor(Math.random() * maxPieces);
      try {
        for await (const { event } of eventsOf(answer)) if (event !== 'delta' || --staysFor <= 0) answer.destroy();
      } catch {
        // The disconnection was intended.
      }
      left++;
    };
    const startMs = performance.now();
    const leaving: Promise<void>[] = [];
    for (const id of ids) {
      leaving.push(leave(id));
      // More at once would get 503 instead.
      if (leaving.length % startsAtOnce === 0) await sleep(100);
    }
    await Promise.all(leaving);
    const running = `select 1 from generations where state = 'running'`;
    await eventually(async () => (await harness.db.query(running)).rowCount === 0, {
      timeoutMs: 30_000,
      what: 'the end of every reply',
    });
    const endedMs = performance.now() - startMs;
    const states = await harness.db.query(
      'select state, error_code as code, count(*)::int as n from generations group by 1, 2',
    );
    expect(states.rows).toEqual([{ state: 'complete', code: null, n: clients + 1 }]);
    const isReply = ({ path, body }: { path: string; body: object }) =>
      path.endsWith('chat/completions') && JSON.stringify(body).includes('"content":"Count for ') && 'stream' in body;
    expect(harness.model.requests.filter((one) => isReply(one) && one.outcome !== 'completed')).toEqual([]);

    for (const id of ids) {
      const events = await readStream(baseUrl, messageTo(id));
      expect({ id, text: textOf(events), end: events.at(-1)?.event }).toEqual({
        id,
        text: pieces.join(''),
        end: 'done',
      });
    }
    // Idle connections stay open for a minute.
    provider.mode = 'reset';
    const rest = await comesToRest(service, before);
    provider.mode = 'pass';
    const stored = await harness.db.query<{ id: string; roles: string }>(
      `select conversation_id as id, string_agg(role, ' ' order by position) as roles from messages where active group by 1`,
    );
    expect(new Set(stored.rows.map(({ roles }) => roles))).toEqual(new Set(['assistant user assistant']));
    const counted = await harness.db.query('select messages from usage_counters where user_id = $1', [ada.id]);
    expect(counted.rows).toEqual([{ messages: clients + 1 }]);
    expect(harness.model.requests.filter(isReply).length).toBe(clients + 1);
    expect(await findViolations(harness.db)).toEqual({});
    report(
      { task },
      {
        times: `${left} clients that left`,
        checked: `${ids.length} replies, ${ids.length} retries, what the process holds`,
        note: `all replies ended after ${(endedMs / 1_000).toFixed(1)} s; ${rest}`,
      },
    );
  },
  60_000 + clients * 500,
);
