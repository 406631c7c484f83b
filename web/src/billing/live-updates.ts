import {
  InvoicesDocument,
  MeDocument,
  PaymentMethodDocument,
  SubscriptionDocument,
  UsageDocument,
} from '../api/generated/operations.ts';
import type { LiveUpdates } from '../api/live-events.ts';
import { keyOf } from '../api/query.ts';

const readAgain: LiveUpdates[keyof LiveUpdates] = (cache) => {
  for (const document of [SubscriptionDocument, PaymentMethodDocument, InvoicesDocument, UsageDocument, MeDocument])
    void cache.invalidateQueries({ queryKey: keyOf(document) });
};

/** A plan change affects the subscription and the limits. */
export const billingUpdates: LiveUpdates = {
  SUBSCRIPTION_CREATED: readAgain,
  SUBSCRIPTION_UPDATED: readAgain,
  SUBSCRIPTION_CANCELLED: readAgain,
};
