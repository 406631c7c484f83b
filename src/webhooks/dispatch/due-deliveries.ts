import type { Ctx, Ports } from '../../core/ctx.ts';
import { msUntil } from '../../core/database/database-time.ts';
import { leaseSql } from '../../core/database/lease.ts';
import { DueMark, pendingFrom } from './due-mark.ts';

const countLimit = 1_000;

const ofIndex = (time: string): string => `${time} - timestamptz '2000-01-01 00:00:00+00'`;
const isPending = `status = 'pending' and ${ofIndex('due_at')} >= ${ofIndex('$1::timestamptz')}`;

// Oldest first, with the expression of their index: a stuck delivery must be visible regardless of how many others are
// due.
const readDue = {
  name: 'webhook_deliveries_due',
  text: `
    select count(*) as count, coalesce(-${msUntil('min(due_at)')} / 1000, 0) as "oldestSeconds",
      ${pendingFrom(`(select due_at from webhook_deliveries where ${isPending} order by ${ofIndex('due_at')} limit 1)`)} as "pendingFrom"
    from (
      select due_at from webhook_deliveries where ${isPending} and due_at <= now() and ${leaseSql().isFree}
      order by ${ofIndex('due_at')} limit ${countLimit}
    ) d`,
};

const marks = new WeakMap<Ports, DueMark>();

/** Counts due deliveries without a lease, up to 1,000, and returns the age of the oldest. */
export async function measureDueDeliveries({ sql, ports }: Ctx): Promise<{ count: number; oldestSeconds: number }> {
  const mark = marks.get(ports) ?? new DueMark();
  marks.set(ports, mark);
  const [due] = await sql<{ count: number; oldestSeconds: number; pendingFrom: Date }>(readDue, [
    mark.read() ?? new Date(0),
  ]);
  if (due) mark.note(due.pendingFrom);
  return { count: due?.count ?? 0, oldestSeconds: Math.max(due?.oldestSeconds ?? 0, 0) };
}
