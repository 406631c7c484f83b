import pg from 'pg';
import { claimFreely, findDueEndpoints } from '../../src/webhooks/dispatch/claim-due.ts';
import { DueMark } from '../../src/webhooks/dispatch/due-mark.ts';
import { measureDueDeliveries } from '../../src/webhooks/dispatch/due-deliveries.ts';
import type { CheckContext } from './check-context.ts';
import { type Check, timeOf } from './measure.ts';
import { ownerId } from './part.ts';

const webhookId = 'wh_00000000-0000-7000-8000-0000000000b1';
/** Number of undelivered rows of the backlog. */
const left = 2_000;

/**
 * Claims of a webhook whose backlog was delivered while a snapshot was open, such as that of a backup: the delivered rows
 * stay in the index. The backlog is half as large as the seeded deliveries.
 */
export function backlogChecks({ db, url, counts, system }: CheckContext): Check[] {
  const size = Math.round((counts['deliveries'] ?? 0) / 2) + left;
  const [claimMark, searchMark] = [new DueMark(), new DueMark()];
  const claim = (): Promise<number> =>
    timeOf(async () => {
      const endpoints = [{ id: webhookId, free: 8, pendingFrom: claimMark.read() }];
      const options = { leaseToken: 'seed', leaseMs: 1, endpoints, maxAttempts: 1_000 };
      const { reports } = await claimFreely(system().sql, options);
      const report = reports.get(webhookId);
      if (report) claimMark.note(report.pendingFrom);
    });
  const look = (): Promise<number> =>
    timeOf(async () => {
      const search = { after: '', limit: 5_000, from: searchMark.read() };
      searchMark.note((await findDueEndpoints(system().sql, search)).pendingFrom);
    });
  const underSnapshot = (what: string, run: () => Promise<number>): Check => ({
    id: 'W6',
    what: `${what} under a snapshot held over ${(size - left).toLocaleString('en')} deliveries`,
    boundMs: 50,
    times: 1,
    run: async () => {
      const holder = new pg.Client({ connectionString: url });
      await holder.connect();
      try {
        await addBacklog(db, size);
        await holder.query('begin isolation level repeatable read; select 1');
        await db.query(
          `update webhook_deliveries set status = 'delivered', finished_at = now() where id = any (array(
             select id from webhook_deliveries where webhook_id = $1 order by due_at, id limit $2))`,
          [webhookId, size - left],
        );
        await run();
        const times: number[] = [];
        for (let n = 0; n < 20; n++) times.push(await run());
        return Math.max(...times);
      } finally {
        await holder.end();
        await db.query('delete from webhook_deliveries where webhook_id = $1', [webhookId]);
        await db.query('delete from webhooks where id = $1', [webhookId]);
      }
    },
  });
  return [
    underSnapshot('a claim', claim),
    underSnapshot('a look for due endpoints', look),
    underSnapshot('the gauge of due deliveries', () => timeOf(() => measureDueDeliveries(system()))),
  ];
}

async function addBacklog(db: pg.Client, size: number): Promise<void> {
  await db.query(
    `insert into webhooks (id, user_id, url, events, secret, created_at, updated_at)
     values ($1, $2, 'https://late.example.com/', '{message.created}', 'none', now(), now()) on conflict do nothing`,
    [webhookId, ownerId],
  );
  await db.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at)
     select 'dlv_' || gen_random_uuid(), $1, 'evt_' || n, 'message.created', 'pending', t.at, t.at
     from generate_series(1, $2::int) n,
       lateral (select date_trunc('milliseconds', now()) - ($2 - n) * interval '5 milliseconds' - interval '5 minutes' as at) t`,
    [webhookId, size],
  );
}
