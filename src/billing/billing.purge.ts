import type { PurgeStep } from '../accounts/purge.ports.ts';
import { deleteBillingCustomer } from './customers.ts';

/** The customer at the processor, with everything it keeps about the person. */
export const purgeBillingCustomer: PurgeStep = {
  name: 'billing customer',
  purge: async (ctx, userId) => {
    await deleteBillingCustomer(ctx, userId);
    return {};
  },
};
