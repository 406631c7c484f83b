import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { cancelSubscription, resumeSubscription } from '../src/billing/subscriptions/cancel-subscription.ts';
import { changeSubscription, type SubscriptionChange } from '../src/billing/subscriptions/change-subscription.ts';
import { createCheckout } from '../src/billing/subscriptions/checkout.ts';
import { listInvoices } from '../src/billing/invoices/invoices.ts';
import type { BillingInterval, InvoiceStatus, PaidPlan, SubscriptionStatus } from '../src/billing/payments.ports.ts';
import { createPortalSession } from '../src/billing/processor/portal.ts';
import { getSubscription } from '../src/billing/subscriptions/subscriptions.ts';
import { type AccountLimits, getLimits } from '../src/billing/usage/limits.ts';
import { getUsage } from '../src/billing/usage/usage.ts';
import type { Plan } from '../src/core/actor.ts';
import { changeSubscriptionInput, checkoutInput } from '../src/billing/billing.input.ts';
import type { GraphqlContext } from './context.ts';
import { IsCounted, pageOf, type Paging, PagingArgs } from './page-info.ts';
import { Access, ListSize, Rules } from './decorators.ts';
import { enumType } from './enum-type.ts';
import { PlanEnum } from './accounts.ts';

export const PaidPlanEnum = enumType<PaidPlan>('PaidPlan', 'A paid plan.', {
  plus: '500 messages per day.',
  pro: '2,000 messages per day.',
  creator: 'Unlimited messages.',
});

export const BillingIntervalEnum = enumType<BillingInterval>('BillingInterval', 'How often a plan is billed.', {
  month: 'Every month.',
  year: 'Every year, at the price of ten months.',
});

const SubscriptionStatusEnum = enumType<SubscriptionStatus>('SubscriptionStatus', 'Billing status of a subscription.', {
  active: 'Paid, or on the free plan.',
  past_due: 'A payment failed. The plan stays active for seven days.',
  canceled: 'Ended.',
  unpaid: 'Ended after failed payments. The limits of the free plan apply.',
  incomplete: 'The first payment has not succeeded. The limits of the free plan apply.',
});

const InvoiceStatusEnum = enumType<InvoiceStatus>('InvoiceStatus', 'Payment status of an invoice.', {
  draft: 'Not final yet.',
  open: 'Awaiting payment.',
  paid: 'Paid.',
  void: 'Cancelled.',
  uncollectible: 'Written off.',
});

@ObjectType({ description: 'The subscription of an account. The free plan renews every calendar month.' })
export class AccountSubscription {
  @Field(() => ID, { description: 'Subscription ID (`sub_…`).' }) id!: string;
  @Field(() => PlanEnum, { description: 'Plan that is active now.' }) plan!: Plan;
  @Field(() => SubscriptionStatusEnum, { description: 'Billing status.' }) status!: SubscriptionStatus;
  @Field(() => BillingIntervalEnum, { description: 'Billing interval.' }) interval!: BillingInterval;
  @Field(() => Date, { description: 'Start of the current billing period.' }) currentPeriodStart!: Date;
  @Field(() => Date, { description: 'End of the current billing period.' }) currentPeriodEnd!: Date;
  @Field(() => Date, { nullable: true, description: 'When the subscription ends; null unless it was cancelled.' })
  cancelAt!: Date | null;
  @Field(() => Date, {
    nullable: true,
    description: 'When the cancellation was requested; null unless it was cancelled.',
  })
  canceledAt!: Date | null;
  @Field(() => Date, { description: 'Creation time.' }) createdAt!: Date;
  @Field(() => String, {
    nullable: true,
    description: 'Customer ID at the payment processor; null before the first checkout.',
  })
  processorCustomerId!: string | null;
  @Field(() => PaidPlanEnum, {
    nullable: true,
    description: 'Plan that takes effect at the end of the period after a downgrade; null when none is pending.',
  })
  pendingPlan!: PaidPlan | null;
  @Field(() => BillingIntervalEnum, {
    nullable: true,
    description: 'Billing interval from the end of the period on; null when no other one is pending.',
  })
  pendingInterval!: BillingInterval | null;
}

@ObjectType('SubscriptionChange', { description: 'A change of plan.' })
class SubscriptionChangeType {
  @Field(() => ID, { description: 'Subscription ID (`sub_…`).' }) id!: string;
  @Field(() => PaidPlanEnum, { description: 'Plan after the change.' }) plan!: PaidPlan;
  @Field(() => PlanEnum, { description: 'Plan before the change.' }) previousPlan!: Plan;
  @Field(() => SubscriptionStatusEnum, { description: 'Billing status.' }) status!: SubscriptionStatus;
  @Field(() => BillingIntervalEnum, { description: 'Billing interval.' }) interval!: BillingInterval;
  @Field(() => Int, { description: 'Amount charged for the rest of the period, in minor units of the currency.' })
  prorationAmount!: number;
  @Field(() => String, { description: 'ISO 4217 currency code in lower case.' }) prorationCurrency!: string;
  @Field(() => Date, { description: 'End of the current billing period.' }) currentPeriodEnd!: Date;
  @Field(() => Date, {
    nullable: true,
    description:
      'Time when a smaller plan or a shorter interval takes effect; null for other changes, which take effect immediately.',
  })
  effectiveAt!: Date | null;
  @Field(() => Boolean, { description: 'Whether the change withdrew a cancellation.' }) resumed!: boolean;
  @Field(() => Date, { description: 'Time of the last change.' }) updatedAt!: Date;
}

@ObjectType({ description: 'A subscription that ends with its current period.' })
class SubscriptionCancellation {
  @Field(() => ID, { description: 'Subscription ID (`sub_…`).' }) id!: string;
  @Field(() => PlanEnum, { description: 'Plan that stays active until then.' }) plan!: Plan;
  @Field(() => SubscriptionStatusEnum, { description: 'Billing status.' }) status!: SubscriptionStatus;
  @Field(() => Date, { nullable: true, description: 'When the subscription ends.' }) cancelAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'When the cancellation was requested.' }) canceledAt!: Date | null;
  @Field(() => String, { description: 'Text to show to the user.' }) message!: string;
}

@ObjectType({ description: 'A payment page hosted by the processor.' })
class Checkout {
  @Field(() => String, { description: 'URL to redirect the user to.' }) checkoutUrl!: string;
  @Field(() => ID, { description: 'ID of the checkout session.' }) sessionId!: string;
  @Field(() => Date, { description: 'Expiry time of the page.' }) expiresAt!: Date;
}

@ObjectType({ description: 'The processor’s page for payment methods, invoices and billing details.' })
class Portal {
  @Field(() => String, { description: 'URL to redirect the user to.' }) portalUrl!: string;
  @Field(() => Date, { description: 'Expiry time of the page.' }) expiresAt!: Date;
}

@ObjectType('Invoice', { description: 'An invoice issued by the payment processor.' })
class InvoiceType {
  @Field(() => ID, { description: 'Invoice ID (`inv_…`).' }) id!: string;
  @Field(() => String, { description: 'Invoice number.' }) number!: string;
  @Field(() => Int, { description: 'Amount in minor units of the currency, such as cents.' }) amount!: number;
  @Field(() => String, { description: 'ISO 4217 currency code in lower case.' }) currency!: string;
  @Field(() => InvoiceStatusEnum, { description: 'Payment status.' }) status!: InvoiceStatus;
  @Field(() => PaidPlanEnum, { description: 'Billed plan.' }) plan!: PaidPlan;
  @Field(() => BillingIntervalEnum, { description: 'Billing interval.' }) interval!: BillingInterval;
  @Field(() => Date, { description: 'Start of the billed period.' }) periodStart!: Date;
  @Field(() => Date, { description: 'End of the billed period.' }) periodEnd!: Date;
  @Field(() => Date, { nullable: true, description: 'Payment time; null until the invoice is paid.' })
  paidAt!: Date | null;
  @Field(() => String, { nullable: true, description: 'URL of the PDF; null until it exists.' }) invoicePdf!:
    | string
    | null;
}

@ObjectType({ description: 'A page of invoices.' })
class InvoiceList extends pageOf('invoices', InvoiceType) {}

@ObjectType({ description: 'Counts and their limits. A limit of -1 means unlimited.' })
class UsageCounts {
  @Field(() => Int, { description: 'Number of messages sent today (UTC).' }) messagesSent!: number;
  @Field(() => Int, { description: 'Number of messages per day that the plan allows.' }) messagesLimit!: number;
  @Field(() => Int, { description: 'Current number of agents.' }) agentsCreated!: number;
  @Field(() => Int, { description: 'Number of agents that the plan allows.' }) agentsLimit!: number;
  @Field(() => Int, { description: 'Current number of documents, excluding failed ones.' })
  knowledgeDocs!: number;
  @Field(() => Int, { description: 'Number of documents that the plan allows.' }) knowledgeLimit!: number;
  @Field(() => Int, { description: 'Megabytes that the account stores, rounded up.' }) storedMegabytes!: number;
  @Field(() => Int, { description: 'Number of megabytes that the plan allows.' }) storedMegabytesLimit!: number;
}

@ObjectType('Usage', { description: 'The account’s usage and the limits of its plan.' })
class UsageType {
  @Field(() => PlanEnum, { description: 'Plan whose limits apply.' }) plan!: Plan;
  @Field(() => Date, { description: 'Start of the counting period, the last midnight UTC.' }) periodStart!: Date;
  @Field(() => Date, { description: 'End of the counting period, the next midnight UTC.' }) periodEnd!: Date;
  @Field(() => UsageCounts, { description: 'Counts and limits.' }) usage!: UsageCounts;
}

@ObjectType({ description: 'A limit of a plan.' })
class PlanLimit {
  @Field(() => String, { description: 'Name of the limit, such as `messages_per_day`.' }) name!: string;
  @Field(() => Int, { description: 'The limit. -1 means unlimited.' }) limit!: number;
}

@ObjectType('AccountLimits', { description: 'All limits of the account’s plan.' })
class AccountLimitsType {
  @Field(() => PlanEnum, { description: 'Plan whose limits apply.' }) plan!: Plan;
  @ListSize(20)
  @Field(() => [PlanLimit], { description: 'Every limit of the plan.' })
  data!: readonly PlanLimit[];
}

@InputType({ description: 'The plan to buy and the return URLs.' })
@Rules(checkoutInput)
class CheckoutInput {
  @Field(() => PaidPlanEnum, { description: 'Plan to buy.' }) plan!: PaidPlan;
  @Field(() => BillingIntervalEnum, { description: 'Billing interval.' }) interval!: BillingInterval;
  @Field(() => String, {
    description: 'URL to which the user returns after payment; `{CHECKOUT_SESSION_ID}` is replaced.',
  })
  successUrl!: string;
  @Field(() => String, { description: 'URL to which the user returns after cancelling.' }) cancelUrl!: string;
}

@InputType({ description: 'The plan and interval to change to.' })
@Rules(changeSubscriptionInput)
class ChangeSubscriptionInput {
  @Field(() => PaidPlanEnum, { description: 'Target plan. It or the interval must differ from the current one.' })
  plan!: PaidPlan;
  @Field(() => BillingIntervalEnum, { nullable: true, description: 'Target interval. Default: the current one.' })
  interval?: BillingInterval;
}

@Resolver()
export class BillingResolver {
  @Access('billing:write')
  @Mutation(() => Checkout, { description: 'Opens a payment page for a plan.' })
  async createCheckout(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => CheckoutInput) input: CheckoutInput,
  ): Promise<Checkout> {
    const { id, url, expiresAt } = await createCheckout(ctx, input);
    return { checkoutUrl: url, sessionId: id, expiresAt };
  }

  @Access('billing:read')
  @Query(() => AccountSubscription, { description: 'Returns the caller’s subscription.' })
  subscription(@Ctx() ctx: GraphqlContext): Promise<AccountSubscription> {
    return getSubscription(ctx);
  }

  @Access('billing:write')
  @Mutation(() => SubscriptionChangeType, {
    description:
      'Changes the plan, the interval or both. A smaller plan or a shorter interval takes effect at the end of the period, any other change immediately. Such a change withdraws a cancellation.',
  })
  changeSubscription(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ChangeSubscriptionInput) input: ChangeSubscriptionInput,
  ): Promise<SubscriptionChange> {
    return changeSubscription(ctx, input);
  }

  @Access('billing:write')
  @Mutation(() => SubscriptionCancellation, {
    description: 'Cancels the subscription at the end of the current period.',
  })
  async cancelSubscription(@Ctx() ctx: GraphqlContext): Promise<SubscriptionCancellation> {
    const { id, plan, status, cancelAt, canceledAt } = await cancelSubscription(ctx);
    const until = cancelAt?.toISOString().slice(0, 10);
    const message = `The subscription ends on ${until}. Until then everything stays as it is.`;
    return { id, plan, status, cancelAt, canceledAt, message };
  }

  @Access('billing:write')
  @Mutation(() => AccountSubscription, { description: 'Withdraws a cancellation or a pending downgrade.' })
  resumeSubscription(@Ctx() ctx: GraphqlContext): Promise<AccountSubscription> {
    return resumeSubscription(ctx);
  }

  @Access('billing:write')
  @Mutation(() => Portal, { description: 'Opens the processor’s page for payment methods and invoices.' })
  createPortalSession(@Ctx() ctx: GraphqlContext): Promise<Portal> {
    return createPortalSession(ctx);
  }

  @Access('billing:read')
  @Query(() => InvoiceList, { description: 'Lists the caller’s invoices, newest first.' })
  invoices(
    @Ctx() ctx: GraphqlContext,
    @PagingArgs() paging: Paging,
    @IsCounted() counted: boolean,
  ): Promise<InvoiceList> {
    return listInvoices(ctx, { ...paging, counted });
  }

  @Access('billing:read')
  @Query(() => UsageType, { description: 'Returns the caller’s usage and plan limits.' })
  usage(@Ctx() ctx: GraphqlContext): Promise<UsageType> {
    return getUsage(ctx);
  }

  @Access('billing:read')
  @Query(() => AccountLimitsType, { description: 'Returns every limit of the caller’s plan.' })
  limits(@Ctx() ctx: GraphqlContext): Promise<AccountLimits> {
    return getLimits(ctx);
  }
}
