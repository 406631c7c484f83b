import type Stripe from 'stripe';
import type { PaymentMethod } from '../../billing/payments.ports.ts';

/**
 * Reads the payment method that Stripe charges: that of the newest subscription that has its own, else the customer's
 * default.
 */
export async function readPaymentMethod(stripe: Stripe, customerId: string): Promise<PaymentMethod | null> {
  const [customer, subscriptions] = await Promise.all([
    stripe.customers.retrieve(customerId, { expand: ['invoice_settings.default_payment_method'] }),
    stripe.subscriptions.list({ customer: customerId, limit: 10, expand: ['data.default_payment_method'] }),
  ]);
  if (customer.deleted) return null;
  const methods = [
    ...subscriptions.data.map((subscription) => subscription.default_payment_method),
    customer.invoice_settings.default_payment_method,
  ];
  const method = methods.find((candidate) => candidate !== null && typeof candidate === 'object');
  return method ? toPaymentMethod(method) : null;
}

function toPaymentMethod({
  type,
  card,
  sepa_debit: debit,
  us_bank_account: bank,
}: Stripe.PaymentMethod): PaymentMethod {
  if (!card) return { brand: type, last4: debit?.last4 ?? bank?.last4 ?? null, expires: null };
  return { brand: card.brand, last4: card.last4, expires: { month: card.exp_month, year: card.exp_year } };
}
