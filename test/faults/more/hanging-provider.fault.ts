import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, type Client, createClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { comesToRest, readHoldings } from '../../support/holdings.ts';
import { findViolations } from '../../support/invariants.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { type FaultHarness, openConversations, openFaultHarness, percentile, signUpCreator } from './fault-harness.ts';
import { readStream, textOf } from './raw-stream.ts';

const streams = countOf({ quick: 100, long: 500 });
/** Longer than the 15 s for which headers are held, so that the failure is an event. */
const deadlineMs = countOf({ quick: 19_000, long: 30_000 });
const probes = 3;
const probeMs = countOf({ quick: 4_000, long: 8_000 });
const probeEveryMs = 20;
/** Times below this count as not slower. */
const noticedMs = 25;
let harness: FaultHarness;
let provider: TcpProxy;

beforeAll(async () => {
  harness = await openFaultHarness({ keepRequests: streams * 20 });
  provider = await startTcpProxy(harness.model.baseUrl);
});
afterAll(async () => {
  await harness.close();
  await provider.stop();
});

/** Measures other routes with requests at a constant rate. */
async function probe(service: Client, { token: as }: Account, agentId: string): Promise<number[]> {
  const timesMs: number[] = [];
  const asked: Promise<void>[] = [];
  const timed = async (method: string, path: string, body?: object) => {
    const startMs = performance.now();
    const { status } = await service.call(method, path, { as, body });
    expect(status).toBeLessThan(300);
    timesMs.push(performance.now() - startMs);
  };
  for (const endMs = performance.now() + probeMs; performance.now() < endMs; await sleep(probeEveryMs)) {
    asked.push(timed('GET', `/v1/agents/${agentId}`));
    if (asked.length % 5 === 0) asked.push(timed('PUT', `/v1/agents/${agentId}`, { name: `Ada ${asked.length}` }));
    if (asked.length % 7 === 0) asked.push(timed('GET', '/v1/conversations'));
  }
  await Promise.all(asked);
  return timesMs;
}

test(
  'ends streams whose provider hangs by the deadline, refunds them, and slows no other route down',
  async ({ task }) => {
    const service = await harness.start({
      OPENAI_BASE_URL: provider.url,
      UPSTREAM_TIMEOUTS: `${deadlineMs},${deadlineMs}`,
      GENERATION_LIMITS: JSON.stringify({ perAccount: streams, perAccountAtOnce: streams, perInstance: streams }),
    });
    const proxy = await startTcpProxy(service.baseUrl);
    const front = createClient(new URL(proxy.url).origin);
    const ada = await signUpCreator(service, harness.db);
    const bob = await signUpCreator(service, harness.db);
    const { id: agentId } = await service.createAgent(bob.token);
    const [warm = '', ...ids] = await openConversations(service, ada.token, streams + 1);
    const messageTo = (id: string, content: string) => ({ as: ada.token, id, content });
    await readStream(service.baseUrl, messageTo(warm, 'Hello.'));
    await probe(front, bob, agentId);
    const before = await readHoldings(service);
    const calm = [await probe(front, bob, agentId)];

    const hangs = /^Hang/;
    harness.model.script({ when: hangs, fault: { kind: 'hang', after: 'before_headers' }, times: streams });
    const startMs = performance.now();
    const endsMs: number[] = [];
    const hanging = ids.map(async (id) => {
      const events = await readStream(service.baseUrl, messageTo(id, `Hang ${id}`));
      endsMs.push(performance.now() - startMs);
      return events;
    });
    const isHanging = ({ body, outcome }: { body: object; outcome: string }) =>
      outcome === 'running' && JSON.stringify(body).includes('"content":"Hang ');
    await eventually(() => harness.model.requests.filter(isHanging).length === streams, { what: 'all to hang' });
    const startedMs = performance.now() - startMs;
    const oneMore = await service.call('POST', `/v1/conversations/${warm}/messages`, {
      as: ada.token,
      body: { content: 'One more.' },
    });
    expect([oneMore.status, oneMore.body.error.code]).toEqual([429, 'rate_limited']);
    const busy: number[][] = [];
    while (busy.length < probes) busy.push(await probe(front, bob, agentId));
    for (const events of await Promise.all(hanging))
      expect(events.map(({ event, data }) => `${event} ${data.code}`)).toEqual(['error upstream_timeout']);
    const latestMs = Math.max(...endsMs);
    expect(latestMs).toBeLessThan(startedMs + deadlineMs + 2_000);
    calm.push(await probe(front, bob, agentId));

    const refunded = await harness.db.query('select messages from usage_counters where user_id = $1', [ada.id]);
    expect(refunded.rows).toEqual([{ messages: 1 }]);
    expect(harness.model.requests.filter(isHanging)).toEqual([]);
    const again = await Promise.all(ids.map((id) => readStream(service.baseUrl, messageTo(id, `Hang ${id}`))));
    // Idle connections stay open for a minute.
    provider.mode = 'reset';
    await proxy.stop();
    const rest = await comesToRest(service, before);
    provider.mode = 'pass';
    expect(again.filter((events) => events.at(-1)?.event !== 'done' || textOf(events) === '')).toEqual([]);
    expect(await findViolations(harness.db)).toEqual({});

    // The streams' cost appears every time, other load does not.
    const slowest = (all: number[][]) => all.map((times) => percentile(times, 0.99));
    const [calmMs, busyMs] = [Math.max(...slowest(calm)), Math.min(...slowest(busy))];
    expect(busyMs).toBeLessThan(2 * Math.max(calmMs, noticedMs));
    report(
      { task },
      {
        times: `${streams} streams that hang`,
        checked: `every end, refund and slot; ${busy.flat().length} other requests meanwhile`,
        note: `ended after ${(latestMs / 1_000).toFixed(1)} s; p99 of other routes ${busyMs.toFixed(0)} ms, without them ${calmMs.toFixed(0)} ms; ${rest}`,
      },
    );
  },
  180_000 + deadlineMs * 2,
);
