import { defineSettings } from '../core/config/settings.ts';
import { key, parsedBy, url } from '../core/config/variables.ts';
import { parsePrices, type PriceTable } from './price-table.ts';

declare module '../core/config/config.ts' {
  interface Config {
    /** Without a key and an API base, the simulator is used instead of Stripe. */
    stripe: {
      secretKey: string | null;
      webhookSecret: string | null;
      /** Scheme, host and port of another implementation of Stripe's API. */
      apiBase: string | null;
      prices: PriceTable | null;
    };
  }
}

export const billingSettings = defineSettings(
  {
    STRIPE_SECRET_KEY: key.optional(),
    STRIPE_WEBHOOK_SECRET: key.optional(),
    STRIPE_API_BASE: url('http:', 'https:').optional(),
    STRIPE_PRICES: parsedBy(parsePrices),
  },
  (vars) => ({
    stripe: {
      secretKey: vars.STRIPE_SECRET_KEY ?? null,
      webhookSecret: vars.STRIPE_WEBHOOK_SECRET ?? null,
      apiBase: vars.STRIPE_API_BASE ?? null,
      prices: vars.STRIPE_PRICES ?? null,
    },
  }),
);
