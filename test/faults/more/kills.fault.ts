import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Account, Client, SseEvent } from '../../support/client.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { findViolations } from '../../support/invariants.ts';
import { expectDeath, type FaultHarness, openConversations, openFaultHarness, signUpCreator } from './fault-harness.ts';
import { audit, startLoad } from './load.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await openFaultHarness({ keepRequests: 10_000 });
});
afterEach(() => harness.killAll());
afterAll(() => harness.close());

/** The steps of a reply at which its process can die, and whether the reply is stored by then. */
const moments = [
  ['message_committing', false],
  ['message_accepted', false],
  ['generation_prompted', false],
  ['generation_first_delta', false],
  ['generation_written', false],
  ['generation_completing', false],
  ['generation_completed', true],
  ['reply_delivered', true],
] as const;

/** Reads a reply to its end, or what arrived before the connection broke. */
async function send(service: Client, ada: Account, id: string, content: string): Promise<SseEvent[]> {
  const events: SseEvent[] = [];
  try {
    for await (const event of service.stream(`/v1/conversations/${id}/messages/stream`, {
      as: ada.token,
      body: { content },
      signal: AbortSignal.timeout(20_000),
    }))
      events.push(event);
  } catch {
    // The process died, or is not ready yet.
  }
  return events;
}

test(
  'replies within 15 s after kill -9 at each step of a reply, storing and charging once',
  async ({ task }) => {
    const rounds = countOf({ quick: 1, long: 25 });
    for (let round = 0; round < rounds; round++) {
      const survivor = await harness.start();
      const ada = await signUpCreator(survivor, harness.db);
      const conversations = await openConversations(survivor, ada.token, moments.length);
      const contentOf = (i: number) => `round ${round} dies ${moments[i]?.[0]}`;
      for (const [i, [failpoint]] of moments.entries()) {
        harness.model.script({ when: contentOf(i), deltas: ['One, ', 'two, ', 'three.'], deltaDelayMs: 30, times: 9 });
        const dying = await harness.start({ ROLE: 'web' }, { failpoint });
        await send(dying, ada, conversations[i]!, contentOf(i));
        await expectDeath(dying, failpoint);
      }
      await Promise.all(
        moments.map(async ([failpoint, isStored], i) => {
          const startMs = performance.now();
          let events: SseEvent[] = [];
          while (events.at(-1)?.event !== 'done') {
            events = await send(survivor, ada, conversations[i]!, contentOf(i));
            if (performance.now() - startMs > 15_000) throw new Error(`${failpoint}: not answered within 15 s`);
            await sleep(50);
          }
          const text = events.map(({ data }) => data.content ?? '').join('');
          const { rows } = await harness.db.query(
            `select role, content from messages where conversation_id = $1 and active order by position`,
            [conversations[i]],
          );
          const stored = rows.slice(-2);
          expect({ failpoint, text, stored }).toEqual({
            failpoint,
            text: 'One, two, three.',
            stored: [
              { role: 'user', content: contentOf(i) },
              { role: 'assistant', content: 'One, two, three.' },
            ],
          });
          expect(rows.filter(({ content }) => content === contentOf(i))).toHaveLength(1);
          const calls = harness.model.requests.filter(({ body }) => JSON.stringify(body).includes(`${contentOf(i)}"`));
          const replies = calls.filter(
            ({ path, body }) => path.endsWith('chat/completions') && body['stream'] === true,
          );
          expect({ failpoint, calls: replies.length }).toEqual({
            failpoint,
            calls: expect.toSatisfy((n: number) => n <= (isStored ? 1 : 2)),
          });
        }),
      );
      const { rows } = await harness.db.query('select messages from usage_counters where user_id = $1', [ada.id]);
      expect(rows).toEqual([{ messages: moments.length }]);
      expect(await findViolations(harness.db)).toEqual({});
      await harness.killAll();
    }
    report({ task }, { times: `${moments.length} steps × ${rounds}`, checked: `${moments.length * rounds} messages` });
  },
  100_000 * countOf({ quick: 1, long: 25 }),
);

test(
  'loses and duplicates nothing acknowledged after kill -9 while clients wait',
  async ({ task }) => {
    const kills = countOf({ quick: 5, long: 200 });
    let service = await harness.start();
    const account = await signUpCreator(service, harness.db);
    const conversations = await openConversations(service, account.token, 6);
    const load = startLoad({ service: () => service, account, conversations, model: harness.model });
    const startsMs: number[] = [];
    for (let kill = 0; kill < kills; kill++) {
      await sleep(500 + Math.random() * 1_500);
      await service.kill();
      const startMs = performance.now();
      service = await harness.start();
      startsMs.push(performance.now() - startMs);
    }
    await sleep(1_000);
    await load.stop();
    const checked = await audit(harness.db, load);
    expect(load.acknowledged()).toBeGreaterThan(kills * 10);
    // Only a killed attempt may have reached the provider twice.
    const asked = new Map<string, number>();
    for (const { path, body } of harness.model.requests) {
      if (!path.endsWith('chat/completions') || body['stream'] !== true) continue;
      const content = /message [0-9a-f-]{36}(?=[^"]*"[^"]*$)/.exec(JSON.stringify(body['messages']))?.[0] ?? '';
      asked.set(content, (asked.get(content) ?? 0) + 1);
    }
    const doubled = [...asked].filter(([content, n]) => content && n > 1).length;
    expect(doubled).toBeLessThanOrEqual(kills * conversations.length);
    report(
      { task },
      {
        times: `${kills} kills`,
        checked,
        note: `ready again after at most ${(Math.max(...startsMs) / 1000).toFixed(1)} s; ${load.ledger.unanswered} requests were cut`,
      },
    );
  },
  30_000 * countOf({ quick: 5, long: 200 }),
);
