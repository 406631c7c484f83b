import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { cancelSubscription, resumeSubscription } from '../src/billing/cancel-subscription.ts';
import { changeSubscription, type SubscriptionChange } from '../src/billing/change-subscription.ts';
import { createCheckout } from '../src/billing/checkout.ts';
import { listInvoices } from '../src/billing/invoices.ts';
import type { BillingInterval, InvoiceStatus, PaidPlan, SubscriptionStatus } from '../src/billing/payments.ports.ts';
import { createPortalSession } from '../src/billing/portal.ts';
import { getSubscription } from '../src/billing/subscriptions.ts';
import { getUsage } from '../src/billing/usage.ts';
import type { Plan } from '../src/core/actor.ts';
import { changeSubscriptionInput, checkoutInput } from '../src/billing/billing.input.ts';
import type { GraphqlContext } from './context.ts';
import { AfterArg, IsCounted, PageInfo } from './page-info.ts';
import { Access, GraphqlOnly, Rules } from './decorators.ts';
import { BillingIntervalEnum, InvoiceStatusEnum, PaidPlanEnum, PlanEnum, SubscriptionStatusEnum } from './enums.ts';

@ObjectType({ description: 'What an account pays for; a free one runs by calendar months.' })
class AccountSubscription {
  @Field(() => ID) id!: string;
  @Field(() => PlanEnum) plan!: Plan;
  @Field(() => SubscriptionStatusEnum) status!: SubscriptionStatus;
  @Field(() => BillingIntervalEnum) interval!: BillingInterval;
  @Field(() => Date) currentPeriodStart!: Date;
  @Field(() => Date) currentPeriodEnd!: Date;
  @Field(() => Date, { nullable: true, description: 'When it ends, if it was cancelled.' }) cancelAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'When it was cancelled.' }) canceledAt!: Date | null;
  @Field(() => Date) createdAt!: Date;
  @Field(() => String, { nullable: true, description: 'null until the processor knows the account.' })
  processorCustomerId!: string | null;
  @Field(() => PaidPlanEnum, { nullable: true, description: 'The plan that follows when the period ends.' })
  pendingPlan!: PaidPlan | null;
}

@ObjectType('SubscriptionChange', { description: 'A plan that was chosen.' })
class SubscriptionChangeType {
  @Field(() => ID) id!: string;
  @Field(() => PaidPlanEnum) plan!: PaidPlan;
  @Field(() => PlanEnum) previousPlan!: Plan;
  @Field(() => SubscriptionStatusEnum) status!: SubscriptionStatus;
  @Field(() => BillingIntervalEnum) interval!: BillingInterval;
  @Field(() => Int, { description: 'Charged for the rest of the period, in minor units.' }) prorationAmount!: number;
  @Field(() => String) prorationCurrency!: string;
  @Field(() => Date) currentPeriodEnd!: Date;
  @Field(() => Date, { nullable: true, description: 'When a downgrade takes effect; null for an upgrade.' })
  effectiveAt!: Date | null;
  @Field(() => Date) updatedAt!: Date;
}

@ObjectType({ description: 'A subscription that ends with its period.' })
class SubscriptionCancellation {
  @Field(() => ID) id!: string;
  @Field(() => PlanEnum) plan!: Plan;
  @Field(() => SubscriptionStatusEnum) status!: SubscriptionStatus;
  @Field(() => Date, { nullable: true }) cancelAt!: Date | null;
  @Field(() => Date, { nullable: true }) canceledAt!: Date | null;
  @Field(() => String) message!: string;
}

@ObjectType({ description: 'A payment page of the processor.' })
class Checkout {
  @Field(() => String, { description: 'Where to send the person.' }) checkoutUrl!: string;
  @Field(() => ID) sessionId!: string;
  @Field(() => Date) expiresAt!: Date;
}

@ObjectType({ description: 'The processor’s page for payment methods, invoices and billing details.' })
class Portal {
  @Field(() => String) portalUrl!: string;
  @Field(() => Date) expiresAt!: Date;
}

@ObjectType('Invoice', { description: 'An invoice of the processor.' })
class InvoiceType {
  @Field(() => ID) id!: string;
  @Field(() => String) number!: string;
  @Field(() => Int, { description: 'In minor units.' }) amount!: number;
  @Field(() => String) currency!: string;
  @Field(() => InvoiceStatusEnum) status!: InvoiceStatus;
  @Field(() => PaidPlanEnum) plan!: PaidPlan;
  @Field(() => BillingIntervalEnum) interval!: BillingInterval;
  @Field(() => Date) periodStart!: Date;
  @Field(() => Date) periodEnd!: Date;
  @Field(() => Date, { nullable: true }) paidAt!: Date | null;
  @Field(() => String, { nullable: true, description: 'Address of the PDF.' }) invoicePdf!: string | null;
}

@ObjectType({ description: 'One page of invoices.' })
class InvoiceList {
  @Field(() => [InvoiceType]) data!: InvoiceType[];
  @Field(() => Int, { description: 'Invoices in the whole list.' }) total!: number | null;
  @Field(() => Int) limit!: number;
  @Field(() => Int) offset!: number;
  @GraphqlOnly()
  @Field(() => PageInfo, { description: 'Where to go on.' })
  pageInfo!: PageInfo;
}

@ObjectType({ description: 'Counts and their limits; a limit of -1 is none.' })
class UsageCounts {
  @Field(() => Int, { description: 'Today (UTC).' }) messagesSent!: number;
  @Field(() => Int) messagesLimit!: number;
  @Field(() => Int, { description: 'That exist now.' }) agentsCreated!: number;
  @Field(() => Int) agentsLimit!: number;
  @Field(() => Int, { description: 'That exist now, failed ones not counted.' }) knowledgeDocs!: number;
  @Field(() => Int) knowledgeLimit!: number;
}

@ObjectType('Usage', { description: 'What is used of the plan.' })
class UsageType {
  @Field(() => PlanEnum, { description: 'The plan whose limits hold.' }) plan!: Plan;
  @Field(() => Date, { description: 'Midnight UTC.' }) periodStart!: Date;
  @Field(() => Date, { description: 'The next midnight UTC.' }) periodEnd!: Date;
  @Field(() => UsageCounts) usage!: UsageCounts;
}

@InputType()
@Rules(checkoutInput)
class CheckoutInput {
  @Field(() => PaidPlanEnum) plan!: PaidPlan;
  @Field(() => BillingIntervalEnum) interval!: BillingInterval;
  @Field(() => String, { description: 'Where to go after paying; `{CHECKOUT_SESSION_ID}` in it is replaced.' })
  successUrl!: string;
  @Field(() => String, { description: 'Where to go without paying.' }) cancelUrl!: string;
}

@InputType()
@Rules(changeSubscriptionInput)
class ChangeSubscriptionInput {
  @Field(() => PaidPlanEnum) plan!: PaidPlan;
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
  @Query(() => AccountSubscription, { description: 'The caller’s subscription.' })
  subscription(@Ctx() ctx: GraphqlContext): Promise<AccountSubscription> {
    return getSubscription(ctx);
  }

  @Access('billing:write')
  @Mutation(() => SubscriptionChangeType, { description: 'A dearer plan now, a cheaper one when the period ends.' })
  changeSubscription(
    @Ctx() ctx: GraphqlContext,
    @Arg('input', () => ChangeSubscriptionInput) input: ChangeSubscriptionInput,
  ): Promise<SubscriptionChange> {
    return changeSubscription(ctx, input);
  }

  @Access('billing:write')
  @Mutation(() => SubscriptionCancellation, { description: 'Ends the subscription when its period does.' })
  async cancelSubscription(@Ctx() ctx: GraphqlContext): Promise<SubscriptionCancellation> {
    const { id, plan, status, cancelAt, canceledAt } = await cancelSubscription(ctx);
    const until = cancelAt?.toISOString().slice(0, 10);
    const message = `The subscription ends on ${until}. Until then everything stays as it is.`;
    return { id, plan, status, cancelAt, canceledAt, message };
  }

  @Access('billing:write')
  @Mutation(() => AccountSubscription, { description: 'Takes back a cancellation, and a downgrade that is to come.' })
  resumeSubscription(@Ctx() ctx: GraphqlContext): Promise<AccountSubscription> {
    return resumeSubscription(ctx);
  }

  @Access('billing:write')
  @Mutation(() => Portal, { description: 'Opens the processor’s page for payment methods and invoices.' })
  createPortalSession(@Ctx() ctx: GraphqlContext): Promise<Portal> {
    return createPortalSession(ctx);
  }

  @Access('billing:read')
  @Query(() => InvoiceList, { description: 'The caller’s invoices, newest first.' })
  invoices(
    @Ctx() ctx: GraphqlContext,
    @Arg('limit', () => Int, { nullable: true, description: '1 to 100, default 20.' }) limit?: number,
    @Arg('offset', () => Int, { nullable: true, description: 'Default 0.' }) offset?: number,
    @AfterArg() after?: string,
    @IsCounted() counted?: boolean,
  ): Promise<InvoiceList> {
    return listInvoices(ctx, { limit, offset, after, counted });
  }

  @Access('billing:read')
  @Query(() => UsageType, { description: 'What the caller has used of the plan.' })
  usage(@Ctx() ctx: GraphqlContext): Promise<UsageType> {
    return getUsage(ctx);
  }
}
