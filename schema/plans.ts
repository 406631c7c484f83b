import { Arg, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { listPlans, type OfferedPlan } from '../src/billing/plans.ts';
import type { BillingInterval, PaidPlan } from '../src/billing/payments.ports.ts';
import {
  previewSubscriptionChange,
  type SubscriptionChangePreview,
} from '../src/billing/subscriptions/preview-change.ts';
import type { Plan } from '../src/core/actor.ts';
import { PlanEnum } from './accounts.ts';
import { BillingIntervalEnum, PaidPlanEnum } from './billing.ts';
import type { GraphqlContext } from './context.ts';
import { Access, ListSize, OncePerRequest } from './decorators.ts';

@ObjectType('PlanPrice', { description: 'Price of a plan.' })
class PlanPriceType {
  @Field(() => BillingIntervalEnum, { description: 'Billing interval.' }) interval!: BillingInterval;
  @Field(() => Int, { description: 'Amount per interval, in minor units of the currency.' }) amount!: number;
  @Field(() => String, { description: 'ISO 4217 currency code in lower case.' }) currency!: string;
}

@ObjectType({ description: 'Limits of a plan. -1 means unlimited.' })
class OfferedLimits {
  @Field(() => Int, { description: 'Number of messages per day.' }) messagesPerDay!: number;
  @Field(() => Int, { description: 'Number of agents.' }) agents!: number;
  @Field(() => Int, { description: 'Number of documents.' }) knowledgeDocuments!: number;
}

@ObjectType('OfferedPlan', { description: 'A plan with its prices and limits.' })
class OfferedPlanType {
  @Field(() => PlanEnum, { description: 'Plan.' }) plan!: Plan;
  @ListSize(2)
  @Field(() => [PlanPriceType], { description: 'Monthly and yearly prices; empty for the free plan.' })
  prices!: PlanPriceType[];
  @Field(() => OfferedLimits, { description: 'Limits.' }) limits!: OfferedLimits;
  @ListSize(6)
  @Field(() => [String], { description: 'Description of each limit, for people.' })
  features!: string[];
}

@ObjectType({ description: 'All plans, cheapest first.' })
class OfferedPlanList {
  @ListSize(4)
  @Field(() => [OfferedPlanType], { description: 'Plans.' })
  data!: OfferedPlanType[];
}

@ObjectType('SubscriptionChangePreview', { description: 'Effect and cost of a plan change.' })
class SubscriptionChangePreviewType {
  @Field(() => PaidPlanEnum, { description: 'Plan to change to.' }) plan!: PaidPlan;
  @Field(() => PlanEnum, { description: 'Plan before the change.' }) currentPlan!: Plan;
  @Field(() => BillingIntervalEnum, { description: 'Billing interval after the change.' }) interval!: BillingInterval;
  @Field(() => Int, { description: 'Amount that would be charged now, in minor units; 0 for a downgrade.' })
  prorationAmount!: number;
  @Field(() => String, { description: 'ISO 4217 currency code in lower case.' }) prorationCurrency!: string;
  @Field(() => Int, {
    nullable: true,
    description: 'Amount of each later payment, in minor units; null if the processor has no price.',
  })
  nextAmount!: number | null;
  @Field(() => Date, { description: 'Time of the next payment.' }) nextPaymentAt!: Date;
  @Field(() => Date, {
    nullable: true,
    description:
      'Time when a smaller plan or a shorter interval would take effect; null for other changes, which take effect immediately.',
  })
  effectiveAt!: Date | null;
  @Field(() => Boolean, { description: 'Whether the change would withdraw a cancellation.' }) resumes!: boolean;
}

@Resolver()
export class PlansResolver {
  @Access('public')
  @Query(() => OfferedPlanList, { description: 'Lists the plans with their prices and limits. Needs no credential.' })
  async plans(@Ctx() ctx: GraphqlContext): Promise<{ data: OfferedPlan[] }> {
    return { data: await listPlans(ctx) };
  }

  @Access('billing:read')
  @OncePerRequest()
  @Query(() => SubscriptionChangePreviewType, {
    description: 'Returns what a plan change would charge now and later, without changing the plan.',
  })
  previewSubscriptionChange(
    @Ctx() ctx: GraphqlContext,
    @Arg('plan', () => PaidPlanEnum, { description: 'Target plan.' }) plan: PaidPlan,
    @Arg('interval', () => BillingIntervalEnum, {
      nullable: true,
      description: 'Target interval. Default: the current one.',
    })
    interval: BillingInterval | undefined,
  ): Promise<SubscriptionChangePreview> {
    return previewSubscriptionChange(ctx, { plan, interval });
  }
}
