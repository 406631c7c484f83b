import type { Ctx } from '../core/ctx.ts';

const countLimit = 1_000;

const readDue = {
  name: 'webhook_deliveries_due',
  text: `
    select count(*) as count, coalesce(extract(epoch from $1::timestamptz - min(due_at)), 0)::float8 as "oldestSeconds"
    from (
      select due_at from webhook_deliveries
      where status = 'pending' and due_at <= $1 and (lease_until is null or lease_until <= $1) limit ${countLimit}
    ) d`,
};

/** Deliveries that could be sent now and that nobody is at; the count stops at 1,000. */
export async function measureDueDeliveries({ sql, clock }: Ctx): Promise<{ count: number; oldestSeconds: number }> {
  const [due] = await sql<{ count: number; oldestSeconds: number }>(readDue, [clock.now()]);
  return { count: due?.count ?? 0, oldestSeconds: Math.max(due?.oldestSeconds ?? 0, 0) };
}
