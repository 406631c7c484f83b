import type { PurgeStep } from '../core/feature.ts';
import { deleteBillingCustomer } from './processor/customers.ts';

/** Deletes the customer at the payment processor, with all personal data there. */
export const purgeBillingCustomer: PurgeStep = {
  name: 'billing customer',
  purge: async (ctx, userId) => {
    await deleteBillingCustomer(ctx, userId);
    return {};
  },
};
