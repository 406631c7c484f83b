import type { ExportSection } from '../core/feature.ts';

/** Section of a data export: invoices. */
export const invoiceExport: ExportSection = {
  path: 'invoices.json',
  statement: {
    name: 'export_invoices',
    text: `
      select id, number, amount, currency, status, plan, "interval", period_start, period_end, paid_at, invoice_pdf, created_at
      from invoices where user_id = $1 and (created_at, id) > ($2, $3) order by created_at, id limit $4`,
  },
};
