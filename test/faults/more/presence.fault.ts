import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectStatus } from '../../support/client.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { openSocket, subscribe } from '../../support/socket.ts';
import { type FaultHarness, openFaultHarness, signUpCreator } from './fault-harness.ts';

let harness: FaultHarness;

beforeAll(async () => {
  harness = await openFaultHarness();
});
afterEach(() => harness.killAll());
afterAll(() => harness.close());

test('shows no one as present 30 s after their instance was killed', async ({ task }) => {
  const kills = countOf({ quick: 1, long: 5 });
  const here = await harness.start();
  const owner = await signUpCreator(here, harness.db);
  const guest = await signUpCreator(here, harness.db);
  const as = owner.token;
  const room = expectStatus(await here.call('POST', '/v1/rooms', { as, body: { name: 'Kitchen' } }), 201).body.id;
  const link = expectStatus(await here.call('POST', `/v1/rooms/${room}/invitations`, { as, body: {} }), 201).body;
  const body = { token: link.token };
  expectStatus(await here.call('POST', '/v1/rooms/join', { as: guest.token, body }), 200);
  const watching = await openSocket(here.baseUrl, owner.token);
  await subscribe(watching, '1', `room:${room}`);
  const seen = (state: string) =>
    watching.take(({ type, data }) => type === 'presence' && data?.['user_id'] === guest.id && data['state'] === state);
  let longest = 0;
  for (let kill = 0; kill < kills; kill++) {
    const dying = await harness.start({ ROLE: 'web' });
    const sockets = await Promise.all([1, 2, 3].map(() => openSocket(dying.baseUrl, guest.token)));
    for (const socket of sockets) await subscribe(socket, '1', `room:${room}`);
    await seen('online');
    await dying.kill();
    const killedAtMs = performance.now();
    await seen('offline');
    longest = Math.max(longest, performance.now() - killedAtMs);
  }
  expect(longest).toBeLessThan(30_000);
  report(
    { task },
    {
      times: `${kills} kills under 3 sockets of a person`,
      checked: 'what another person sees',
      note: `gone after ${(longest / 1_000).toFixed(0)} s`,
    },
  );
  watching.close();
});
