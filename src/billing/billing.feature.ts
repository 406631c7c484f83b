import type { Feature } from '../core/feature.ts';
import { invoiceExport } from './billing.export.ts';
import { purgeBillingCustomer } from './billing.purge.ts';
import { type AccountRange, compareRange, startComparison } from './processor/compare-accounts.ts';
import { processorEventExpiry } from './processor/processor-events.ts';
import { usageExpiry } from './usage/usage.expiry.ts';
import { subscriptionEvents } from './subscriptions/subscription.events.ts';
import { syncAccount } from './processor/sync-account.ts';
import { BillingAccount } from './billing-account.entity.ts';
import { Invoice } from './invoices/invoice.entity.ts';
import { BillingIntent } from './subscriptions/billing-intent.entity.ts';
import { ProcessedEvent } from './processor/processed-event.entity.ts';
import { BillingComparison } from './processor/billing-comparison.entity.ts';
import { UsageCounter } from './usage/usage-counter.entity.ts';
import { billingSettings } from './billing.settings.ts';
import { billingGauges } from './billing.gauges.ts';

declare module '../core/ids.ts' {
  interface IdPrefixes {
    inv_: 'invoice';
  }
}

declare module '../core/actor.ts' {
  interface Scopes {
    'billing:read': true;
    'billing:write': true;
  }
}

declare module '../core/tasks/tasks.ts' {
  interface TaskPayloads {
    'billing.sync': { userId: string };
    'billing.compare': { after?: string };
    'billing.compare-range': AccountRange;
  }
}

export const billing: Feature = {
  name: 'billing',
  settings: billingSettings,
  entities: [BillingAccount, Invoice, BillingIntent, ProcessedEvent, BillingComparison, UsageCounter],
  idPrefixes: { invoice: 'inv_' },
  scopes: ['billing:read', 'billing:write'],
  events: subscriptionEvents,
  jobs: [
    {
      // Runs after events of the payment processor, at the end of a period, and when a response was lost.
      kind: 'billing.sync',
      concurrency: 4,
      timeoutMs: 30_000,
      handle: async (ctx, { userId }) => void (await syncAccount(ctx, userId)),
    },
    {
      kind: 'billing.compare',
      everyMs: 86_400_000,
      concurrency: 1,
      handle: startComparison,
    },
    {
      // A call to the processor takes a fifth of a second, so eight concurrent ones compare 400,000 accounts in three
      // hours.
      kind: 'billing.compare-range',
      concurrency: 8,
      timeoutMs: 60_000,
      handle: compareRange,
    },
  ],
  expiries: [processorEventExpiry, usageExpiry],
  purge: [purgeBillingCustomer],
  exportSections: [invoiceExport],
  gauges: [billingGauges],
};
