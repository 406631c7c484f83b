import type { Feature } from '../core/feature.ts';
import { invoiceExport } from './billing.export.ts';
import { purgeBillingCustomer } from './billing.purge.ts';
import { type AccountRange, compareRange, startComparison } from './processor/compare-accounts.ts';
import { processorEventExpiry } from './processor/processor-events.ts';
import { usageExpiry } from './usage/usage.expiry.ts';
import { subscriptionEvents } from './subscriptions/subscription.events.ts';
import { updateCustomer } from './processor/customers.ts';
import { syncAccount } from './processor/sync-account.ts';
import { enqueueTask } from '../core/tasks/tasks.ts';
import { BillingAccount } from './billing-account.entity.ts';
import { Invoice } from './invoices/invoice.entity.ts';
import { BillingIntent } from './subscriptions/billing-intent.entity.ts';
import { ProcessedEvent } from './processor/processed-event.entity.ts';
import { BillingComparison } from './processor/billing-comparison.entity.ts';
import { StorageNote, StoredBytes } from './storage/stored-bytes.entity.ts';
import { aggregateStorage, recountStorage } from './storage/stored-bytes.ts';
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
    'billing.update-customer': { userId: string };
    'billing.compare': { after?: string };
    'billing.compare-range': AccountRange;
    'billing.count-storage': object;
    'billing.recount-storage': object;
  }
}

declare module '../core/feature.ts' {
  interface PlanLimits {
    storedMegabytes: number;
  }
}

export const billing: Feature = {
  name: 'billing',
  settings: billingSettings,
  entities: [
    BillingAccount,
    Invoice,
    BillingIntent,
    ProcessedEvent,
    BillingComparison,
    UsageCounter,
    StoredBytes,
    StorageNote,
  ],
  idPrefixes: { invoice: 'inv_' },
  scopes: ['billing:read', 'billing:write'],
  events: subscriptionEvents,
  planLimits: { storedMegabytes: { free: 250, plus: 2_000, pro: 5_000, creator: 20_000 } },
  jobs: [
    {
      kind: 'billing.count-storage',
      everyMs: 5_000,
      when: 'exists (select from storage_notes)',
      concurrency: 1,
      handle: async (ctx) => void (await aggregateStorage(ctx)),
    },
    {
      kind: 'billing.recount-storage',
      everyMs: 60_000,
      when: 'exists (select from stored_bytes where recount_due)',
      concurrency: 1,
      handle: (ctx, _payload, run) => recountStorage(ctx, run),
    },
    {
      // Runs after events of the payment processor, at the end of a period, and when a response was lost.
      kind: 'billing.sync',
      concurrency: 4,
      timeoutMs: 30_000,
      handle: async (ctx, { userId }) => void (await syncAccount(ctx, userId)),
    },
    {
      kind: 'billing.update-customer',
      concurrency: 4,
      timeoutMs: 30_000,
      handle: (ctx, { userId }) => updateCustomer(ctx, userId),
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
  onEmailChanged: [(tx, userId) => enqueueTask(tx, 'billing.update-customer', { userId }, { key: userId })],
  expiries: [processorEventExpiry, usageExpiry],
  purge: [purgeBillingCustomer],
  exportSections: [invoiceExport],
  gauges: [billingGauges],
};
