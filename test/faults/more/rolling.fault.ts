import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient, type SseEvent } from '../../support/client.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { eventually } from '../../support/eventually.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import { type FaultHarness, openConversations, openFaultHarness, signUpCreator } from './fault-harness.ts';
import { audit, startLoad } from './load.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await openFaultHarness({ keepRequests: 10 });
});
afterAll(() => harness.close());

test(
  'fails no request while instances are replaced under load, and ends streams with done or error',
  async ({ task }) => {
    const rounds = countOf({ quick: 3, long: 20 });
    const streams = countOf({ quick: 40, long: 200 });
    let instances: ServiceProcess[] = await Promise.all([harness.start(), harness.start()]);
    const account = await signUpCreator(instances[0]!, harness.db);
    const [agentless = '', ...conversations] = await openConversations(instances[0]!, account.token, streams + 11);
    // A load balancer: round robin over ready instances, polled every 100 ms.
    let turn = 0;
    let ready = [...instances];
    const look = setInterval(() => {
      void Promise.all(
        instances.map(async (one) => ((await fetch(`${one.baseUrl}/readyz`).catch(() => null))?.ok ? one : null)),
      ).then((seen) => (ready = seen.filter((one) => one !== null)));
    }, 100);
    const next = (): ServiceProcess => ready[turn++ % ready.length] ?? instances.at(-1)!;
    const balanced = createClient(instances[0]!.baseUrl);
    const service = {
      ...balanced,
      call: (...args: Parameters<typeof balanced.call>) => next().call(...args),
    };
    const load = startLoad({
      service: () => service,
      account,
      conversations: conversations.slice(0, 10),
      model: harness.model,
      pauseMs: 5,
    });

    const over = new AbortController();
    const ends = new Map<string, number>();
    const pieces = Array.from({ length: 20 }, (_, i) => `piece ${i} `);
    harness.model.script({ when: 'at length', deltas: pieces, deltaDelayMs: 100, times: 100_000 });
    const stream = async (id: string) => {
      for (let n = 0; !over.signal.aborted; n++) {
        let last: SseEvent | undefined;
        try {
          const path = `/v1/conversations/${id}/messages/stream`;
          for await (const event of next().stream(path, { as: account.token, body: { content: `at length ${n}` } }))
            last = event;
        } catch (error) {
          last = { event: `${(error as { status?: number }).status ?? 'cut'}`, id: '', data: null };
        }
        ends.set(last?.event ?? 'nothing', (ends.get(last?.event ?? 'nothing') ?? 0) + 1);
      }
    };
    const streaming = Promise.all(conversations.slice(10).map(stream));
    const exitsMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await sleep(1_500);
      const [oldest] = instances;
      const fresh = await harness.start();
      instances = [...instances, fresh];
      await eventually(() => ready.includes(fresh));
      const startMs = performance.now();
      oldest!.signal('SIGTERM');
      expect(await oldest!.exited).toBe(0);
      exitsMs.push(performance.now() - startMs);
      instances = instances.filter((one) => one !== oldest);
    }
    over.abort();
    await Promise.all([load.stop(), streaming]);
    clearInterval(look);
    expect(agentless).not.toBe('');
    const checked = await audit(harness.db, load);
    expect({ cut: load.ledger.unanswered, unavailable: load.ledger.unavailable }).toEqual({ cut: 0, unavailable: 0 });
    expect([...ends.keys()].filter((end) => end !== 'done' && end !== 'error')).toEqual([]);
    expect(Math.max(...exitsMs)).toBeLessThan(30_000);
    const waiting = await harness.db.query(
      `select 1 from tasks where lease_expires_at < now() - interval '30 seconds'`,
    );
    expect(waiting.rows).toEqual([]);
    report(
      { task },
      {
        times: `${rounds} restarts`,
        checked: `${checked}, ${[...ends.values()].reduce((a, b) => a + b, 0)} streams`,
        note: `exit after at most ${(Math.max(...exitsMs) / 1000).toFixed(1)} s; streams ${JSON.stringify(Object.fromEntries(ends))}`,
      },
    );
  },
  60_000 * countOf({ quick: 3, long: 20 }),
);
