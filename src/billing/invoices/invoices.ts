import { callerId } from '../../accounts/caller.ts';
import type { Ctx } from '../../core/ctx.ts';
import { columnsOf } from '../../core/database/columns-of.ts';
import { newId } from '../../core/ids.ts';
import { parseInput } from '../../core/input.ts';
import { orderedList, type Page, readSlice, withTotal } from '../../core/pagination.ts';
import { listInvoicesInput } from '../billing.input.ts';
import { Invoice } from './invoice.entity.ts';
import type { PaidPlan, ProcessorInvoice } from '../payments.ports.ts';

const newestFirst = orderedList<Invoice>({
  name: 'invoices_list',
  columns: columnsOf(Invoice, 'i'),
  from: 'invoices i where i.user_id = $1',
  valueCount: 1,
  key: { column: 'i.created_at', kind: 'time', of: (invoice) => invoice.createdAt },
  id: { column: 'i.number', of: ({ number }) => number },
});
const count = { name: 'invoices_count', text: 'select count(*) as total from invoices where user_id = $1' };

/** Lists the caller's invoices, newest first. @throws AppError `invalid_request` */
export async function listInvoices(ctx: Ctx, input: unknown): Promise<Page<Invoice>> {
  const page = parseInput(listInvoicesInput, input);
  const values = [callerId(ctx)];
  return withTotal(ctx, readSlice(ctx, newestFirst, values, page), page, count, values);
}

/**
 * Replaces the stored invoices with those of the processor. Returns whether one of them differed. A new URL of the PDF
 * is stored but does not count as a difference, because the processor renews it regularly. An invoice whose lines name
 * no plan is for `knownPlan`. Call it in a transaction that holds the user's row.
 */
export async function storeInvoices(
  tx: Ctx,
  userId: string,
  invoices: readonly ProcessorInvoice[],
  knownPlan: PaidPlan | null,
): Promise<boolean> {
  const ids = invoices.map(({ id }) => id);
  const stored = await tx.em.find(Invoice, { processorInvoiceId: { $in: ids } });
  let changed = false;
  for (const { id, subscriptionId: _, pdfUrl, plan: billedPlan, ...rest } of invoices) {
    const invoice = stored.find(({ processorInvoiceId }) => processorInvoiceId === id);
    const plan = billedPlan ?? invoice?.plan ?? knownPlan;
    // An invoice for something else than a plan.
    if (plan === null) continue;
    const fields = { plan, ...rest };
    changed ||= !invoice || differs(invoice, fields);
    const row = { ...fields, invoicePdf: pdfUrl };
    if (invoice) tx.em.assign(invoice, row);
    else tx.em.persist(tx.em.create(Invoice, { id: newId('inv_'), userId, processorInvoiceId: id, ...row }));
  }
  await tx.em.flush();
  return changed;
}

const differs = (
  invoice: Invoice,
  { number, amount, status, paidAt }: Pick<ProcessorInvoice, 'number' | 'amount' | 'status' | 'paidAt'>,
): boolean =>
  invoice.number !== number ||
  invoice.amount !== amount ||
  invoice.status !== status ||
  invoice.paidAt?.getTime() !== paidAt?.getTime();
