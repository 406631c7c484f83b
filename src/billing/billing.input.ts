import { z } from 'zod';
import { httpUrl } from '../core/input.ts';
import { pageInput } from '../core/pagination.ts';

const paidPlans = ['plus', 'pro', 'creator'] as const;
const billingIntervals = ['month', 'year'] as const;

export const checkoutInput = z.object({
  plan: z.enum(paidPlans),
  interval: z.enum(billingIntervals),
  successUrl: httpUrl(),
  cancelUrl: httpUrl(),
});

/** Without an interval, the subscription keeps its own. */
export const changeSubscriptionInput = z.object({
  plan: z.enum(paidPlans),
  interval: z.enum(billingIntervals).optional(),
});

export const listInvoicesInput = pageInput();
