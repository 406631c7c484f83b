import { msUntil } from '../../core/database/database-time.ts';
import type { Sql } from '../../core/database/sql.ts';

const epoch = `timestamptz '2000-01-01 00:00:00+00'`;

// Named, so that it is planned once: planning a claim costs more than running one that finds nothing. Written such that
// every plan reads its indexes from the front. The oldest delivery is found by the expression of its index.
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
  /** Events wait for the fan-out. */
  hasEvents: boolean;
  /** Milliseconds until the next pending delivery is due, negative when it is or is being sent; null without any. */
  dueInMs: number | null;
}

interface PeekOptions {
  /** Deliveries are looked for from this due time on; null for all. */
  dueFrom: Date | null;
  /** Events are looked for from this number on. */
  queueFrom: number;
}

export async function peekWork(sql: Sql, { dueFrom, queueFrom }: PeekOptions): Promise<Work> {
  const [work] = await sql<Work>(peek, [dueFrom ?? new Date(0), queueFrom]);
  return work ?? { hasEvents: false, dueInMs: null };
}
