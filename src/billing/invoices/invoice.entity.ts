import { defineEntity, p } from '@mikro-orm/postgresql';
import type { BillingInterval, InvoiceStatus, PaidPlan } from '../payments.ports.ts';
import { User } from '../../accounts/user.entity.ts';

const InvoiceSchema = defineEntity({
  name: 'Invoice',
  tableName: 'invoices',
  properties: {
    id: p.text().primary(),
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade'),
    processorInvoiceId: p.text(),
    number: p.text(),
    /** Amount in minor units of the currency. */
    amount: p.bigint('number'),
    currency: p.text(),
    status: p.text().$type<InvoiceStatus>(),
    plan: p.text().$type<PaidPlan>(),
    interval: p.text().$type<BillingInterval>(),
    periodStart: p.datetime(3),
    periodEnd: p.datetime(3),
    paidAt: p.datetime(3).strictNullable(),
    invoicePdf: p.text().strictNullable(),
    createdAt: p.datetime(3),
  },
});

/** An invoice of the payment processor. */
export class Invoice extends InvoiceSchema.class {}
InvoiceSchema.setClass(Invoice);
