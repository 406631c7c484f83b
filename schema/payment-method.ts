import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver } from 'type-graphql';
import { getPaymentMethod } from '../src/billing/payment-method.ts';
import type { PaymentMethod } from '../src/billing/payments.ports.ts';
import { AccountSubscription } from './billing.ts';
import type { GraphqlContext } from './context.ts';
import { GraphqlOnly } from './decorators.ts';

@ObjectType({ description: 'The last month in which a card is valid.' })
class CardExpiry {
  @Field(() => Int, { description: 'Month, 1 to 12.' }) month!: number;
  @Field(() => Int, { description: 'Year.' }) year!: number;
}

@ObjectType('PaymentMethod', { description: 'What the payment processor charges. Its number is never known here.' })
class PaymentMethodType {
  @Field(() => String, { description: 'Brand of the card, such as `visa`, or the kind of another method.' })
  brand!: string;
  @Field(() => String, { nullable: true, description: 'Last four digits; null when there are none.' })
  last4!: string | null;
  @Field(() => CardExpiry, { nullable: true, description: 'Last month of validity; null for what is no card.' })
  expires!: CardExpiry | null;
}

@Resolver(() => AccountSubscription)
export class PaymentMethodResolver {
  @GraphqlOnly()
  @FieldResolver(() => PaymentMethodType, {
    nullable: true,
    description: 'What is charged for the next payment; null before the first one.',
  })
  paymentMethod(@Ctx() ctx: GraphqlContext): Promise<PaymentMethod | null> {
    return getPaymentMethod(ctx);
  }
}
