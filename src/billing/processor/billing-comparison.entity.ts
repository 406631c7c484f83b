import { defineEntity, p } from '@mikro-orm/postgresql';

const BillingComparisonSchema = defineEntity({
  name: 'BillingComparison',
  tableName: 'billing_comparison',
  properties: {
    onlyRow: p.boolean().primary().default(true),
    finishedAt: p.datetime(3),
    compared: p.integer(),
    drifted: p.integer(),
    failed: p.integer(),
  },
});

/** The last comparison of all accounts with the payment processor; at most one row. */
export class BillingComparison extends BillingComparisonSchema.class {}
BillingComparisonSchema.setClass(BillingComparison);
