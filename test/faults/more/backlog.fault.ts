import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, expectStatus } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { countOf, report } from '../../support/fault-report.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import {
  answer,
  startWebhookReceiver,
  trustedAuthority,
  type WebhookReceiver,
} from '../../support/webhook-receiver.ts';
import { type FaultHarness, openFaultHarness, percentile } from './fault-harness.ts';

/** Fewer for each account than the consecutive failures that disable its webhook. */
const eventsOfEach = 84;
const accounts = countOf({ quick: 60, long: 1_191 });
const events = accounts * eventsOfEach;
/** Warms up code and heap, as the benchmark that measures this does. */
const warmUpsOfEach = Math.ceil(5_000 / accounts);
const signUpsAtOnce = 4;
const maxBytes = 100 * 1024 ** 2;

let harness: FaultHarness;
let receiver: WebhookReceiver;
let folder: string;

beforeAll(async () => {
  harness = await openFaultHarness();
  receiver = await startWebhookReceiver();
  folder = await mkdtemp(join(tmpdir(), 'acs-backlog-'));
  await writeFile(join(folder, 'ca.pem'), (await trustedAuthority()).ca);
});
afterAll(async () => {
  await harness.close();
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

async function addAccount(service: ServiceProcess): Promise<Account> {
  const account = await service.signUp();
  const body = { url: receiver.url, events: ['agent.updated'] };
  expectStatus(await service.call('POST', '/v1/webhooks', { as: account.token, body }), 201);
  return account;
}

/** Inserts `count` events of each account at once, without the service. Returns their ids. */
async function commit(owners: readonly Account[], count: number): Promise<string[]> {
  const { rows } = await harness.db.query<{ id: string }>(
    `insert into outbox_events (id, account_id, type, data, created_at)
     select 'evt_' || gen_random_uuid(), o.id, 'agent.updated', json_build_object('n', n), now()
     from generate_series(1, $2::int) n cross join unnest($1::text[]) as o (id) returning id`,
    [owners.map(({ id }) => id), count],
  );
  return rows.map(({ id }) => id);
}

const left = async (condition: string): Promise<number> =>
  (await harness.db.query<{ n: number }>(`select count(*)::int as n from webhook_deliveries where ${condition}`))
    .rows[0]?.n ?? 0;

const residentBytes = async ({ pid }: ServiceProcess): Promise<number> =>
  1024 * Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);

test(
  'delivers a backlog that becomes due at once, once each, while serving every request',
  async ({ task }) => {
    const service = await harness.start({
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      // An hour, so that nothing becomes due before the test moves it.
      WEBHOOK_RETRY_DELAYS: '3600,3600,3600',
    });
    const owners: Account[] = [];
    while (owners.length < accounts)
      owners.push(...(await Promise.all(Array.from({ length: signUpsAtOnce }, () => addAccount(service)))));
    owners.length = accounts;
    const warmUps = accounts * warmUpsOfEach;
    await commit(owners, warmUpsOfEach);
    await eventually(async () => (await left(`status = 'delivered'`)) === warmUps, {
      timeoutMs: 60_000,
      what: 'the warm-up',
    });

    const idleBytes = await residentBytes(service);
    let peakBytes = idleBytes;
    const watch = setInterval(() => {
      void residentBytes(service).then(
        (bytes) => (peakBytes = Math.max(peakBytes, bytes)),
        () => undefined,
      );
    }, 100);
    const over = new AbortController();
    const probesMs: number[] = [];
    const statuses = new Map<number, number>();
    const probing = (async () => {
      for (let n = 0; !over.signal.aborted; n++) {
        const startMs = performance.now();
        const { status } = await service.call('GET', '/v1/agents', { as: owners[n % accounts]!.token });
        probesMs.push(performance.now() - startMs);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await sleep(20);
      }
    })();

    receiver.behave(answer(503));
    const waiting = new Set(await commit(owners, eventsOfEach));
    const untried = `status = 'pending' and (attempt_count < 1 or lease_token is not null)`;
    const tried = async () => (await left('attempt_count >= 1')) === events + warmUps && (await left(untried)) === 0;
    await eventually(tried, { timeoutMs: 20_000 + events * 5, what: 'a first attempt of each' });
    expect(await left(`status = 'pending'`)).toBe(events);

    receiver.behave(answer(200));
    receiver.received.length = 0;
    await harness.db.query(`update webhook_deliveries set due_at = now() where status = 'pending'`);
    await eventually(async () => (await left(`status = 'pending'`)) === 0, {
      timeoutMs: 20_000 + events * 5,
      what: 'the end of the backlog',
    });
    clearInterval(watch);
    over.abort();
    await probing;

    const times = new Map<string, number>();
    for (const { event } of receiver.received) times.set(event.id, (times.get(event.id) ?? 0) + 1);
    expect([...times.keys()].filter((id) => !waiting.has(id))).toEqual([]);
    expect(times.size).toBe(events);
    expect([...times.values()].filter((count) => count !== 1)).toEqual([]);
    expect(await left(`status = 'delivered' and attempt_count = 2 and jsonb_array_length(attempts) = 2`)).toBe(events);
    expect([...statuses.keys()]).toEqual([200]);
    expect(peakBytes - idleBytes).toBeLessThan(maxBytes);
    const arrivals = receiver.received.map(({ at }) => at);
    const rate = events / (((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / 1_000);
    report(
      { task },
      {
        times: `1 outage, ${events} events of ${accounts} webhooks`,
        checked: `${events} events, ${probesMs.length} requests`,
        note: `the hour of waiting is skipped; drained ${rate.toFixed(0)}/s, ${((peakBytes - idleBytes) / 1024 ** 2).toFixed(0)} MB above idle, p99 of the requests ${percentile(probesMs, 0.99).toFixed(0)} ms`,
      },
    );
  },
  countOf({ quick: 120_000, long: 3_600_000 }),
);
