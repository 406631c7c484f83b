import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Account, Client, SseEvent } from '../../support/client.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { findViolations } from '../../support/invariants.ts';
import { expectDeath, type FaultHouse, openConversations, openFaultHouse, signUpCreator } from './fault-house.ts';
import { audit, startLoad } from './load.ts';

let house: FaultHouse;

beforeAll(async () => {
  house = await openFaultHouse({ keepRequests: 10_000 });
});
afterEach(() => house.killAll());
afterAll(() => house.close());

/** Where the process of a reply can die; whether the reply is stored by then. */
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

/** Reads a reply to its end; what came of it when the connection breaks. */
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
    // The process died, or does not answer yet.
  }
  return events;
}

test(
  'kill -9 at each step of a reply: the same message again is answered within 15 s, stored once and charged once',
  async ({ task }) => {
    const rounds = countOf({ quick: 1, long: 25 });
    for (let round = 0; round < rounds; round++) {
      const survivor = await house.start();
      const ada = await signUpCreator(survivor, house.db);
      const conversations = await openConversations(survivor, ada.token, moments.length);
      const contentOf = (i: number) => `round ${round} dies ${moments[i]?.[0]}`;
      for (const [i, [failpoint]] of moments.entries()) {
        house.model.script({ when: contentOf(i), deltas: ['One, ', 'two, ', 'three.'], deltaDelayMs: 30, times: 9 });
        const dying = await house.start({ ROLE: 'web' }, { failpoint });
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
          const { rows } = await house.db.query(
            `select role, content from messages where conversation_id = $1 and position > 0 order by position`,
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
          const calls = house.model.requests.filter(({ body }) => JSON.stringify(body).includes(`${contentOf(i)}"`));
          const replies = calls.filter(
            ({ path, body }) => path.endsWith('chat/completions') && body['stream'] === true,
          );
          expect({ failpoint, calls: replies.length }).toEqual({
            failpoint,
            calls: expect.toSatisfy((n: number) => n <= (isStored ? 1 : 2)),
          });
        }),
      );
      const { rows } = await house.db.query('select messages from usage_counters where user_id = $1', [ada.id]);
      expect(rows).toEqual([{ messages: moments.length }]);
      expect(await findViolations(house.db)).toEqual({});
      await house.killAll();
    }
    report({ task }, { times: `${moments.length} steps × ${rounds}`, checked: `${moments.length * rounds} messages` });
  },
  100_000 * countOf({ quick: 1, long: 25 }),
);

test(
  'kill -9 while messages are waited for loses and doubles nothing that was acknowledged',
  async ({ task }) => {
    const kills = countOf({ quick: 5, long: 200 });
    let service = await house.start();
    const account = await signUpCreator(service, house.db);
    const conversations = await openConversations(service, account.token, 6);
    const load = startLoad({ service: () => service, account, conversations, model: house.model });
    const startsMs: number[] = [];
    for (let kill = 0; kill < kills; kill++) {
      await sleep(500 + Math.random() * 1_500);
      await service.kill();
      const startMs = performance.now();
      service = await house.start();
      startsMs.push(performance.now() - startMs);
    }
    await sleep(1_000);
    await load.stop();
    const checked = await audit(house.db, load);
    expect(load.acknowledged()).toBeGreaterThan(kills * 10);
    // A turn that was killed may have reached the provider; no other may twice.
    const asked = new Map<string, number>();
    for (const { path, body } of house.model.requests) {
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
