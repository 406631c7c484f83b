import type { GaugeGroup } from '../core/feature.ts';
import { BillingAccount } from './billing-account.entity.ts';
import { findLastComparison } from './processor/compare-accounts.ts';

const outcomes = ['compared', 'drifted', 'failed'] as const;

export const billingGauges: GaugeGroup = {
  gauges: {
    billing_comparison_accounts: {
      help: 'Accounts of the last comparison with the payment processor: drifted ones differed and were corrected, failed ones could not be compared.',
      labels: ['outcome'],
    },
    billing_unknown_prices: {
      help: 'Subscriptions whose price belongs to none of the plans. They keep the plan that they had.',
    },
    billing_comparison_timestamp_seconds: { help: 'Time when the last comparison ended; 0 before the first.' },
  },
  read: async (ctx) => {
    const [last, unknownPrices] = await Promise.all([
      findLastComparison(ctx),
      ctx.em.count(BillingAccount, { isPriceKnown: false }),
    ]);
    return [
      ...outcomes.map((outcome) => ({
        name: 'billing_comparison_accounts',
        labels: { outcome },
        value: last?.[outcome] ?? 0,
      })),
      { name: 'billing_unknown_prices', value: unknownPrices },
      { name: 'billing_comparison_timestamp_seconds', value: (last?.finishedAt.getTime() ?? 0) / 1_000 },
    ];
  },
};
