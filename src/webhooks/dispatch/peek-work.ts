import { msUntil } from '../../core/database/database-time.ts';
import type { Sql } from '../../core/database/sql.ts';

const epoch = `timestamptz '2000-01-01 00:00:00+00'`;

// Named, so that it is planned once: planning costs more than executing a claim that finds nothing. Every possible plan
// reads the indexes from the front. The oldest delivery is found with the expression of its index.
const peek = {
  name: 'webhooks_peek_work',
  text: `
    select (select seq from outbox_queue where seq >= $2 order by seq limit 1) is not null
        or (select seq from outbox_events where dispatched_at is null order by seq limit 1) is not null as "hasEvents",
      ${msUntil(`(
        select due_at from webhook_deliveries where status = 'pending'
          and due_at - ${epoch} >= $1::timestamptz - ${epoch}
        order by due_at - ${epoch} limit 1)`)} as "dueInMs"`,
};

interface Work {
  /** Whether events wait for the fan-out. */
  hasEvents: boolean;
  /**
   * Milliseconds until the next pending delivery is due; negative if it is due or being sent, null if none is pending.
   */
  dueInMs: number | null;
}

interface PeekOptions {
  /** Due time from which deliveries are searched; null for all. */
  dueFrom: Date | null;
  /** Sequence number from which the queue is searched. */
  queueFrom: number;
}

/** Checks for events and due deliveries in one statement, which claims nothing. */
export async function peekWork(sql: Sql, { dueFrom, queueFrom }: PeekOptions): Promise<Work> {
  const [work] = await sql<Work>(peek, [dueFrom ?? new Date(0), queueFrom]);
  return work ?? { hasEvents: false, dueInMs: null };
}
