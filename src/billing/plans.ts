import type { Plan } from '../core/actor.ts';
import type { Ctx, Ports } from '../core/ctx.ts';
import { shownLimit } from './usage/usage.ts';
import type { PlanPrice } from './payments.ports.ts';
import { withinBudget } from './processor/time-budget.ts';

/** A plan that is offered. A limit of -1 means unlimited. */
export interface OfferedPlan {
  plan: Plan;
  /** Monthly and yearly price; empty for the free plan. */
  prices: Omit<PlanPrice, 'plan'>[];
  limits: { messagesPerDay: number; agents: number; knowledgeDocuments: number };
  /** Descriptions of all limits. */
  features: string[];
}

const plans: readonly Plan[] = ['free', 'plus', 'pro', 'creator'];

/** Lists the plans, cheapest first, with the prices of the payment processor. @throws AppError `unavailable` */
export async function listPlans(ctx: Ctx): Promise<OfferedPlan[]> {
  const prices = await currentPrices(ctx.ports);
  const { messagesPerDay, agents, knowledgeDocuments } = ctx.catalog.planLimits;
  return plans.map((plan) => ({
    plan,
    prices: prices.filter((price) => price.plan === plan).map(({ plan: _plan, ...price }) => price),
    limits: {
      messagesPerDay: shownLimit(messagesPerDay[plan]),
      agents: shownLimit(agents[plan]),
      knowledgeDocuments: shownLimit(knowledgeDocuments[plan]),
    },
    features: [
      describeLimit(messagesPerDay[plan], 'messages a day'),
      describeLimit(agents[plan], 'agents'),
      describeLimit(knowledgeDocuments[plan], 'documents'),
      describeLimit(ctx.config.rateLimits[plan], 'requests a minute'),
      describeLimit(ctx.config.rateLimits.tts[plan], 'spoken replies a minute'),
      describeLimit(ctx.config.rateLimits.stt[plan], 'transcriptions a minute'),
    ],
  }));
}

const describeLimit = (limit: number, things: string): string =>
  limit === Infinity ? `Unlimited ${things}` : `${limit.toLocaleString('en')} ${things}`;

interface KnownPrices {
  prices: Promise<PlanPrice[]>;
  readAtMs: number;
}

/**
 * Prices are cached for ten minutes in each process, because anonymous visitors may list the plans. In milliseconds.
 */
const freshMs = 600_000;
const known = new WeakMap<Ports, KnownPrices>();

/** Returns cached or current prices. When reading them again fails, the earlier ones are used for another minute. */
async function currentPrices(ports: Ports): Promise<PlanPrice[]> {
  const earlier = known.get(ports);
  const nowMs = performance.now();
  if (earlier && nowMs - earlier.readAtMs < freshMs) return earlier.prices;
  const prices = withinBudget(() => ports.payments.listPrices());
  known.set(ports, { prices, readAtMs: nowMs });
  try {
    return await prices;
  } catch (error) {
    if (!earlier) known.delete(ports);
    else known.set(ports, { ...earlier, readAtMs: nowMs - freshMs + retryMs });
    if (earlier) return earlier.prices;
    throw error;
  }
}

const retryMs = 60_000;
