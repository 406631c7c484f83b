import { callerId } from '../accounts/caller.ts';
import type { Ctx } from '../core/ctx.ts';
import { newId } from '../core/ids.ts';
import { parseInput } from '../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../core/pagination.ts';
import { listInvoicesInput } from './billing.input.ts';
import type { BillingInterval, InvoiceStatus, PaidPlan, ProcessorInvoice } from './payments.ports.ts';

export interface Invoice {
  id: string;
  number: string;
  /** Minor units. */
  amount: number;
  currency: string;
  status: InvoiceStatus;
  plan: PaidPlan;
  interval: BillingInterval;
  periodStart: Date;
  periodEnd: Date;
  paidAt: Date | null;
  invoicePdf: string | null;
  createdAt: Date;
}

const newestFirst = orderedList<Invoice>({
  name: 'invoices_list',
  columns: `
    id, number, amount, currency, status, plan, "interval", period_start as "periodStart", period_end as "periodEnd",
      paid_at as "paidAt", invoice_pdf as "invoicePdf", created_at as "createdAt"`,
  from: 'invoices where user_id = $1',
  valueCount: 1,
  key: { column: 'created_at', kind: 'time', of: (invoice) => invoice.createdAt },
  id: { column: 'number', of: ({ number }) => number },
});
const count = { name: 'invoices_count', text: 'select count(*) as total from invoices where user_id = $1' };

/** The caller's invoices, newest first. @throws AppError `invalid_request` */
export async function listInvoices(ctx: Ctx, input: unknown): Promise<Page<Invoice>> {
  const page = parseInput(listInvoicesInput, input);
  const values = [callerId(ctx)];
  return withTotal(ctx, readSlice(ctx, newestFirst, values, page), page, count, values);
}

// The address of the PDF is renewed by the processor now and then, which is no difference to speak of.
const upsert = {
  name: 'invoices_upsert',
  text: `
    with same as (
      select 1 from invoices where processor_invoice_id = $3
        and (number, amount, status, paid_at) is not distinct from ($4, $5, $7, $12::timestamptz(3))
    ), written as (
      insert into invoices (id, user_id, processor_invoice_id, number, amount, currency, status, plan, "interval",
        period_start, period_end, paid_at, invoice_pdf, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
      on conflict (processor_invoice_id) do update set number = excluded.number, amount = excluded.amount,
        status = excluded.status, paid_at = excluded.paid_at, invoice_pdf = excluded.invoice_pdf
    )
    select not exists (select from same) as changed`,
};

/** Makes our copies those of the processor; answers whether one differed. */
export async function storeInvoices(ctx: Ctx, userId: string, invoices: readonly ProcessorInvoice[]): Promise<boolean> {
  let changed = false;
  for (const i of invoices) {
    const [row] = await ctx.sql<{ changed: boolean }>(upsert, [
      newId('invoice'),
      userId,
      i.id,
      i.number,
      i.amount,
      i.currency,
      i.status,
      i.plan,
      i.interval,
      i.periodStart,
      i.periodEnd,
      i.paidAt,
      i.pdfUrl,
      i.createdAt,
    ]);
    changed ||= row?.changed ?? false;
  }
  return changed;
}
