import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { comesToRest, readHoldings } from '../../support/holdings.ts';
import { findViolations } from '../../support/invariants.ts';
import { type FaultHarness, openConversations, openFaultHarness, percentile, signUpCreator } from './fault-harness.ts';
import { eventsOf, openStream, readStream } from './raw-stream.ts';

let harness: FaultHarness;
beforeAll(async () => {
  harness = await openFaultHarness();
});
afterAll(() => harness.close());

/** Sends a message on a connection that is read one byte a second, or never. */
function sendAndStall(port: number, as: string, id: string, content: string, reads: boolean): Socket {
  const body = JSON.stringify({ content });
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(
      `POST /v1/conversations/${id}/messages/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${as}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
  socket.pause();
  const sip = reads ? setInterval(() => socket.read(1), 1_000) : undefined;
  socket.on('error', () => undefined);
  socket.on('close', () => clearInterval(sip));
  return socket;
}

const residentBytes = async (pid: number): Promise<number> =>
  1024 * Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Counts the connections of these clients that the service still has. */
async function heldBy(port: number, clients: readonly Socket[]): Promise<number> {
  const ports = new Set(clients.map(({ localPort = 0 }) => localPort));
  const established = '01';
  const lines = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n').slice(1);
  return lines.filter((line) => {
    const [, local = '', remote = '', state] = line.trim().split(/\s+/);
    const [from, to] = [local, remote].map((address) => Number.parseInt(address.split(':')[1] ?? '', 16));
    return state === established && from === port && ports.has(to ?? 0);
  }).length;
}

/** Returns the longest gaps between the pieces of a reply that is read as it arrives. */
async function gapsOf(baseUrl: string, as: string, id: string, content: string): Promise<number[]> {
  const gapsMs: number[] = [];
  let lastMs = 0;
  for await (const { event } of eventsOf(await openStream(baseUrl, { as, id, content }))) {
    const nowMs = performance.now();
    if (event === 'delta' && lastMs > 0) gapsMs.push(nowMs - lastMs);
    lastMs = nowMs;
  }
  return gapsMs;
}

const stalled = countOf({ quick: 100, long: 500 });
const healthy = 10;
/** Times below this count as not slower. */
const noticedMs = 150;
/** The quick form shares the processors with other scenarios. */
const part = countOf({ quick: 0.9, long: 0.99 });
/** With few streams, the memory of a fresh instance dominates, so the figure is only noted. */
const limitBytes = countOf({ quick: Infinity, long: 64 * 1024 });

test('uses little memory for clients that read nothing or one byte a second, and delays no others', async ({
  task,
}) => {
  const service = await harness.start();
  const { token: as } = await signUpCreator(service, harness.db);
  const ids = await openConversations(service, as, 2 * stalled + 2 * healthy);
  // A reply of 200 kB.
  const pieces = Array.from({ length: 80 }, (_, i) => `${i} `.padEnd(2_500, 'word '));
  harness.model.script({ when: /^A lot/, deltas: pieces, deltaDelayMs: 20, times: 2 * stalled });
  const drops = Array.from({ length: 60 }, (_, i) => `drop ${i} `);
  harness.model.script({ when: /^Drip/, deltas: drops, deltaDelayMs: 50, times: 2 * healthy });
  const port = Number(new URL(service.baseUrl).port);
  const drip = () => Promise.all(ids.splice(0, healthy).map((id) => gapsOf(service.baseUrl, as, id, 'Drip')));
  const stored = async (count: number) =>
    eventually(
      async () => {
        const query = `select count(*)::int as n from messages where role = 'assistant' and length(content) > 100000`;
        return (await harness.db.query<{ n: number }>(query)).rows[0]!.n >= count;
      },
      { timeoutMs: 120_000, what: 'all replies' },
    );
  const startAll = async (start: (id: string, i: number) => void) => {
    for (const [i, id] of ids.splice(0, stalled).entries()) {
      start(id, i);
      if (i % 10 === 0) await sleep(100);
    }
  };

  // The baseline: clients that read.
  const reading: Promise<unknown>[] = [];
  await startAll((id) => reading.push(readStream(service.baseUrl, { as, id, content: 'A lot' })));
  const calm = await drip();
  await Promise.all(reading);
  await stored(stalled);
  const before = await residentBytes(service.pid);
  const held = await readHoldings(service);

  const sockets: Socket[] = [];
  await startAll((id, i) => sockets.push(sendAndStall(port, as, id, 'A lot', i % 2 === 0)));
  const busy = await drip();
  await stored(2 * stalled);
  expect(await heldBy(port, sockets)).toBe(stalled);
  await sleep(2_000);
  const grownBytes = Math.max(0, (await residentBytes(service.pid)) - before);
  expect(grownBytes / stalled).toBeLessThan(limitBytes);
  const [calmMs, busyMs] = [calm, busy].map((gaps) => percentile(gaps.flat(), part)) as [number, number];
  expect(busyMs).toBeLessThan(2 * Math.max(calmMs, noticedMs));
  for (const socket of sockets) socket.destroy();
  const rest = await comesToRest(service, held);
  expect(await findViolations(harness.db)).toEqual({});
  report(
    { task },
    {
      times: `${stalled} clients`,
      checked: `${2 * stalled} replies of 200 kB, ${2 * healthy} others`,
      note: `${(grownBytes / stalled / 1_000).toFixed(0)} kB resident more for each; p${part * 100} between two pieces of others ${busyMs.toFixed(0)} ms, without them ${calmMs.toFixed(0)} ms; ${rest}`,
    },
  );
}, 300_000);

test('drops a client that reads nothing for a minute, and stores its reply', async ({ task }) => {
  const clients = 3;
  const service = await harness.start();
  const { token: as } = await signUpCreator(service, harness.db);
  const ids = await openConversations(service, as, clients);
  // More than the kernel buffers for a connection.
  const pieces = Array.from({ length: 600 }, () => 'word '.repeat(2_000));
  harness.model.script({ when: /^Too much/, deltas: pieces, times: clients });
  const port = Number(new URL(service.baseUrl).port);
  const sockets = ids.map((id) => sendAndStall(port, as, id, 'Too much', false));
  await eventually(
    async () =>
      (
        await harness.db.query(
          `select 1 from generations where state = 'complete' and user_id = (select user_id from conversations where id = $1)`,
          [ids[0]],
        )
      ).rowCount === clients,
    { timeoutMs: 90_000, what: 'all replies' },
  );
  const startMs = performance.now();
  expect(await heldBy(port, sockets)).toBe(clients);
  await eventually(async () => (await heldBy(port, sockets)) === 0, {
    timeoutMs: 75_000,
    what: 'the end of all connections',
  });
  const droppedMs = performance.now() - startMs;
  for (const socket of sockets) socket.destroy();
  expect(await findViolations(harness.db)).toEqual({});
  report(
    { task },
    {
      times: `${clients} clients`,
      checked: `${clients} replies of 6 MB`,
      note: `dropped ${(droppedMs / 1_000).toFixed(0)} s after the reply was whole`,
    },
  );
}, 240_000);
