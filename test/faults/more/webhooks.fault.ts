import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectStatus } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { countOf, report } from '../../support/fault-report.ts';
import { startWebhookReceiver, trustedAuthority } from '../../support/webhook-receiver.ts';
import { expectDeath, openFaultHarness } from './fault-harness.ts';

const events = countOf({ quick: 300, long: 1_000 });
const rounds = countOf({ quick: 1, long: 100 });
/** Deliveries that a process can have in flight when it dies, and that are sent twice. */
const maxDuplicates = 64;
/** How long the lease of a dead process lasts at most, and when another has sent its deliveries after that. */
const leaseMs = 15_000;
const redeliveredWithinMs = 5_000;

/** Before a POST, after a POST whose outcome is not recorded, and between two attempts. */
const moments = ['webhook_claimed:40', 'webhook_posted:40', 'webhook_recorded:3'] as const;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'acs-webhook-kills-'));
  await writeFile(join(folder, 'ca.pem'), (await trustedAuthority()).ca);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Kills a process with its deliveries; another takes over. Returns how many arrived twice, how long the first took, and
 * how much of that was after the lease had ended and the other process was ready.
 */
async function dieAt(failpoint: string): Promise<{ duplicates: number; tookMs: number; lateMs: number }> {
  const receiver = await startWebhookReceiver();
  const harness = await openFaultHarness();
  try {
    const env = { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), WEBHOOK_RETRY_DELAYS: '1,1,1' };
    const dying = await harness.start(env, { failpoint });
    const owner = await dying.signUp();
    const body = { url: receiver.url, events: ['agent.updated'] };
    expectStatus(await dying.call('POST', '/v1/webhooks', { as: owner.token, body }), 201);
    const seen = new Set<string>();
    receiver.behave((response, { event }) => {
      const isRefused = event.data.n % 3 === 0 && !seen.has(event.id);
      seen.add(event.id);
      response.writeHead(isRefused ? 503 : 200).end();
    });

    const insert = `
      insert into outbox_events (id, account_id, type, data, created_at)
      select 'evt_' || gen_random_uuid(), $1, 'agent.updated', json_build_object('n', n), now() from generate_series(1, $2::int) n
      returning id`;
    const client = await harness.db.connect();
    await client.query('begin');
    await client.query(insert, [owner.id, 10]);
    await client.query('rollback');
    client.release();
    const { rows } = await harness.db.query<{ id: string }>(insert, [owner.id, events]);
    const committed = new Set(rows.map(({ id }) => id));
    await expectDeath(dying, failpoint);

    const diedAt = Date.now();
    const { rows: held } = await harness.db.query<{ id: string }>(
      `select event_id as id from webhook_deliveries where status = 'pending' and lease_token is not null`,
    );
    await harness.start(env);
    const possibleAt = Math.max(diedAt + leaseMs, Date.now());
    await eventually(
      async () => {
        const counted = `select count(*)::int as n from webhook_deliveries where status = 'delivered'`;
        return (await harness.db.query<{ n: number }>(counted)).rows[0]?.n === events;
      },
      { timeoutMs: leaseMs + redeliveredWithinMs + 20_000, what: 'the end of all deliveries' },
    );

    const { received } = receiver;
    expect(received.filter(({ event }) => !committed.has(event.id))).toEqual([]);
    expect(new Set(received.map(({ event }) => event.id)).size).toBe(events);
    const { rows: attempts } = await harness.db.query<{ n: number; noted: number }>(
      'select attempt_count as n, jsonb_array_length(attempts) as noted from webhook_deliveries',
    );
    expect(attempts.filter(({ n, noted }) => n !== noted || n > 4)).toEqual([]);
    const heldIds = new Set(held.map(({ id }) => id));
    const again = received.filter(({ at, event }) => at > diedAt && heldIds.has(event.id)).map(({ at }) => at - diedAt);
    const refusals = Math.floor(events / 3);
    const tookMs = again.length > 0 ? Math.min(...again) : 0;
    return { duplicates: received.length - events - refusals, tookMs, lateMs: diedAt + tookMs - possibleAt };
  } finally {
    await harness.close();
    await receiver.close();
  }
}

test(
  'delivers every event after kill -9 before, after and between POSTs, and few twice',
  async ({ task }) => {
    let most = 0;
    let slowestMs = 0;
    for (let round = 0; round < rounds; round++) {
      // Wait for all of them before failing the test, which removes what the others use.
      const ends = await Promise.allSettled(moments.map(dieAt));
      for (const end of ends) {
        if (end.status === 'rejected') throw end.reason;
        const { duplicates, tookMs, lateMs } = end.value;
        expect(duplicates).toBeLessThanOrEqual(maxDuplicates);
        expect(lateMs).toBeLessThan(redeliveredWithinMs);
        most = Math.max(most, duplicates);
        slowestMs = Math.max(slowestMs, tookMs);
      }
    }
    report(
      { task },
      {
        times: `${moments.length} moments × ${rounds}`,
        checked: `${moments.length * rounds * events} events`,
        note: `at most ${most} came twice, redelivered after ${(slowestMs / 1_000).toFixed(1)} s at most`,
      },
    );
  },
  120_000 * rounds,
);
