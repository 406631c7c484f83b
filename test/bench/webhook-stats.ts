import { newId } from '../../src/core/ids.ts';
import { seed } from './lab/seed.ts';
import { median, quantile } from './lab/statistics.ts';
import type { Bench, BenchRow, Figure } from './row.ts';

/** Reads of a webhook's page: statistics, and series of a week by hour and of a month by day. */
export const rows: BenchRow[] = [{ name: 'P26', title: 'statistics of a webhook', measure }];

const hours = 168;

async function measure(bench: Bench): Promise<Figure[]> {
  const { databaseUrl, db, userId, headers } = await seed(bench);
  const webhookId = newId('wh_');
  const perHour = bench.isQuick ? 100 : 5_000;
  await db.query(
    `insert into webhooks (id, user_id, url, events, secret, created_at, updated_at)
     values ($1, $2, 'https://hooks.invalid/', '{agent.created}', '', now() - interval '31 days', now())`,
    [webhookId, userId],
  );
  await db.query(
    `insert into webhook_hours (webhook_id, hour, delivered, failed, skipped, attempts, last_delivered_at)
     select $1, date_trunc('hour', now(), 'UTC') - n * interval '1 hour', $2, 0, 0, $2, now() - n * interval '1 hour'
     from generate_series(0, 31 * 24) n`,
    [webhookId, perHour],
  );
  await db.query(
    `insert into webhook_deliveries (id, webhook_id, event_id, event_type, status, due_at, created_at, attempts)
     select 'dlv_' || gen_random_uuid(), $1, 'evt_x', 'agent.created', 'delivered', now(),
       now() - n * interval '1 hour' / $2::int, '[{"durationMs": 12, "statusCode": 200}]'
     from generate_series(0, $2::int * ${hours} - 1) n`,
    [webhookId, perHour],
  );
  await db.query('vacuum analyze webhook_deliveries, webhook_hours');
  const service = await bench.startService({ databaseUrl });
  const query = `query ($id: ID!, $bucket: StatsBucket, $since: DateTimeISO) { webhookStats(id: $id) {
    delivered failed series(bucket: $bucket, since: $since) { start delivered failed skipped attempts p95DurationMs } } }`;
  const since = (count: number) => new Date(Date.now() - count * 3_600_000 + 60_000).toISOString();
  const read = async (variables: object, points: number): Promise<number> => {
    const startedAt = performance.now();
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { id: webhookId, ...variables } }),
    });
    const { data } = (await response.json()) as { data: { webhookStats: { series: unknown[] } } };
    const took = performance.now() - startedAt;
    if (data.webhookStats.series.length < points) throw new Error(`${data.webhookStats.series.length} points`);
    return took;
  };
  const times = async (variables: object, points: number): Promise<number[]> => {
    const taken: number[] = [];
    for (let round = 0; round < (bench.isQuick ? 20 : 200); round++) taken.push(await read(variables, points));
    return taken.slice(taken.length / 10);
  };
  const day = await times({}, 24);
  const week = await times({ bucket: 'HOUR', since: since(hours) }, hours);
  const month = await times({ bucket: 'DAY', since: since(31 * 24) }, 31);
  await service.stop();
  return [
    { what: '24 hours, p50', value: median(day), unit: 'ms', goal: { atMost: 30 } },
    { what: '168 hours, p50', value: median(week), unit: 'ms', goal: { atMost: 80 } },
    { what: '168 hours, p95', value: quantile(week, 0.95), unit: 'ms' },
    { what: '31 days, p50', value: median(month), unit: 'ms', goal: { atMost: 40 } },
  ];
}
