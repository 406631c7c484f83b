import type { Ctx } from '../../core/ctx.ts';
import { rowExpiry } from '../../core/database/purge-in-batches.ts';

/**
 * Number of weeks for which partitions are created ahead. If the job is down for longer, rows go to the default
 * partition.
 */
const weeksAhead = 2;
/** Additional retention of events in days, so that every delivery that can be redelivered still has its event. */
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

/** Creates the partitions of events and deliveries for the coming weeks. Returns the number of created partitions. */
export async function createEventPartitions({ sql }: Ctx): Promise<number> {
  const [row] = await sql<{ created: number }>(createPartitions, [weeksAhead]);
  return row?.created ?? 0;
}

/**
 * Drops weekly partitions of deliveries that are older than the retention. Returns the number of dropped partitions and
 * of rows deleted from the default partition.
 */
export const purgeDeliveries = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeTable(ctx, 'webhook_deliveries', ctx.config.webhooks.retentionDays, signal);

/**
 * Drops weekly partitions of events that no delivery needs any more. Returns the number of dropped partitions and of
 * rows deleted from the default partition.
 */
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

/** Deletes hourly counts that are older than any statistics. */
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
