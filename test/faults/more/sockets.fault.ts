import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Account } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { findViolations } from '../../support/invariants.ts';
import { type FaultHarness, openConversations, openFaultHarness, signUpCreator } from './fault-harness.ts';
import { follow, storedPositions } from './socket-readers.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await openFaultHarness();
});
afterEach(() => harness.killAll());
afterAll(() => harness.close());

test('sends every client each message once and in order, although instances are killed under their sockets', async ({
  task,
}) => {
  const [sockets, kills] = [countOf({ quick: 100, long: 500 }), countOf({ quick: 2, long: 10 })];
  const instances = [await harness.start(), await harness.start({ ROLE: 'web' })];
  const perAccount = 50;
  const accounts: (Account & { conversation: string })[] = [];
  for (let n = 0; n < sockets / perAccount; n++) {
    const account = await signUpCreator(instances[0]!, harness.db);
    const [id = ''] = await openConversations(instances[0]!, account.token, 1);
    accounts.push({ ...account, conversation: id });
  }
  const readers = accounts.flatMap(({ token, conversation }) =>
    Array.from({ length: perAccount }, () => ({ conversation, ...follow(() => instances, token, conversation) })),
  );
  const written = new AbortController();
  const write = async ({ token, conversation }: (typeof accounts)[number]): Promise<void> => {
    for (let n = 0; !written.signal.aborted; n++) {
      const body = { content: `message ${n}` };
      const target = instances[n % 2]!;
      await target
        .call('POST', `/v1/conversations/${conversation}/messages`, { as: token, body })
        .catch(() => sleep(200));
    }
  };
  const writing = accounts.map(write);
  for (let kill = 0; kill < kills; kill++) {
    await sleep(2_000);
    const victim = kill % 2;
    await instances[victim]!.kill();
    instances[victim] = await harness.start(victim === 0 ? {} : { ROLE: 'web' });
  }
  await sleep(2_000);
  written.abort();
  await Promise.all(writing);
  const stored = (conversation: string) => storedPositions(harness.db, conversation);
  for (const { conversation, positions } of readers)
    await eventually(async () => (await stored(conversation)).length === positions.length, { timeoutMs: 60_000 });
  let messages = 0;
  for (const { conversation, positions, stop } of readers) {
    expect(positions).toEqual(await stored(conversation));
    messages += positions.length;
    stop();
  }
  expect(await findViolations(harness.db)).toEqual({});
  report(
    { task },
    { times: `${kills} kills under ${sockets} sockets`, checked: `${messages} messages, each in its place` },
  );
}, 600_000);
