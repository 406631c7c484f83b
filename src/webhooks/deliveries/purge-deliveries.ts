import type { Ctx } from '../../core/ctx.ts';
import { rowExpiry } from '../../core/database/purge-in-batches.ts';

/** Created ahead, so that a purge that does not run for this long loses nothing: the default partition takes over then. */
const weeksAhead = 2;
/** Events outlive the deliveries of the following week, so that whatever can be redelivered has its event. */
const eventsOutliveDays = 8;
const defaultBatch = 5_000;

const createPartitions = { name: 'event_partitions_create', text: `select create_partitions($1) as created` };
const dropPartition = {
  name: 'event_partition_drop',
  text: `select drop_partition($1, make_interval(days => $2)) as dropped`,
};
const purgeDefault = {
  name: 'event_partition_purge_default',
  text: `select purge_default_partition($1, make_interval(days => $2), ${defaultBatch}) as purged`,
};

/** Creates the partitions of events and deliveries for the coming weeks. Returns how many were missing. */
export async function createEventPartitions({ sql }: Ctx): Promise<number> {
  const [row] = await sql<{ created: number }>(createPartitions, [weeksAhead]);
  return row?.created ?? 0;
}

/** Drops whole weeks of deliveries that are older than the retention. Returns how many partitions and stray rows went. */
export const purgeDeliveries = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeTable(ctx, 'webhook_deliveries', ctx.config.webhooks.retentionDays, signal);

/** Drops whole weeks of events that no delivery needs any more. Returns how many partitions and stray rows went. */
export const purgeEvents = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeTable(ctx, 'outbox_events', ctx.config.webhooks.retentionDays + eventsOutliveDays, signal);

async function purgeTable({ sql }: Ctx, table: string, keptDays: number, signal: AbortSignal): Promise<number> {
  let count = 0;
  for (let dropped = true; dropped;) {
    signal.throwIfAborted();
    const [row] = await sql<{ dropped: boolean }>(dropPartition, [table, keptDays]);
    dropped = row?.dropped ?? false;
    if (dropped) count++;
  }
  for (let purged = defaultBatch; purged === defaultBatch;) {
    signal.throwIfAborted();
    const [row] = await sql<{ purged: number }>(purgeDefault, [table, keptDays]);
    purged = row?.purged ?? 0;
    count += purged;
  }
  return count;
}

/** Removes hourly counts that no statistics include any more. */
export const webhookHourExpiry = rowExpiry({
  name: 'webhookHours',

  statement: {
    name: 'purge_webhook_hours',
    text: `
      delete from webhook_hours where (webhook_id, hour) in (
        select webhook_id, hour from webhook_hours where hour < now() - interval '32 days' limit $1)
      returning 1`,
  },
});
