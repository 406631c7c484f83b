import { z } from 'zod';
import { httpUrl } from '../core/input.ts';
import { pageInput } from '../core/pagination.ts';

export const paidPlans = ['plus', 'pro', 'creator'] as const;
export const billingIntervals = ['month', 'year'] as const;
export const subscriptionStatuses = ['active', 'past_due', 'canceled', 'unpaid', 'incomplete'] as const;
export const invoiceStatuses = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const;

export const checkoutInput = z.object({
  plan: z.enum(paidPlans),
  interval: z.enum(billingIntervals),
  successUrl: httpUrl(),
  cancelUrl: httpUrl(),
});

export const changeSubscriptionInput = z.object({ plan: z.enum(paidPlans) });

export const listInvoicesInput = pageInput();
