import { describe, expect, it } from 'vitest';
import { effectivePlan } from '../../src/billing/subscriptions/effective-plan.ts';
import type { ProcessorSubscription } from '../../src/billing/payments.ports.ts';
import { readConfig } from '../../src/app/config.ts';
import { withYear } from '../../src/providers/stripe/account.ts';

const created = Date.parse('2026-11-21T00:00:00Z') / 1_000;

describe('the number of an invoice', () => {
  it.each([
    ['1A2B3C4D-0007', '1A2B3C4D-2026-0007'],
    ['ACME-2026-0007', 'ACME-2026-0007'],
    ['A-B-12', 'A-B-2026-12'],
    ['42', 'INV-2026-42'],
  ])('%s is shown as %s', (number, shown) => {
    expect(withYear(number, created)).toBe(shown);
  });
});

describe('the plan whose limits apply', () => {
  const since = new Date('2026-11-21T00:00:00.000Z');
  const after = (ms: number) => new Date(since.getTime() + ms);
  const week = 7 * 86_400_000;
  const subscription = (status: ProcessorSubscription['status']) => ({ plan: 'pro', status }) as ProcessorSubscription;

  it.each([
    ['active', after(week), 'pro'],
    ['past_due', after(week - 1), 'pro'],
    ['past_due', after(week), 'free'],
    ['unpaid', since, 'free'],
    ['incomplete', since, 'free'],
    ['canceled', since, 'free'],
  ] as const)('of a subscription that is %s at %s is %s', (status, now, plan) => {
    expect(effectivePlan(subscription(status), since, now)).toBe(plan);
  });

  it('is free without a subscription', () => {
    expect(effectivePlan(null, null, since)).toBe('free');
  });
});

describe('the settings', () => {
  const table = { month: 'price_m', year: 'price_y' };
  const production = { PROFILE: 'production' };

  it('refuse production without Stripe, a key without its companions, and a table with a gap', () => {
    expect(() => readConfig(production)).toThrow(/STRIPE_SECRET_KEY: is required/);
    expect(() => readConfig({ ...production, STRIPE_SECRET_KEY: 'sk_test_x' })).toThrow(
      /STRIPE_WEBHOOK_SECRET: is required[^]*STRIPE_PRICES: is required/,
    );
    const prices = JSON.stringify({ plus: table, pro: { month: 'price_m' } });
    expect(() => readConfig({ ...production, STRIPE_PRICES: prices })).toThrow(/missing: pro\.year, creator/);
  });
});
