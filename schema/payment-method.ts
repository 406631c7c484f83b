import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver } from 'type-graphql';
import { getPaymentMethod } from '../src/billing/payment-method.ts';
import type { PaymentMethod } from '../src/billing/payments.ports.ts';
import { AccountSubscription } from './billing.ts';
import type { GraphqlContext } from './context.ts';
import { GraphqlOnly } from './decorators.ts';

@ObjectType({ description: 'Expiry month of a card.' })
class CardExpiry {
  @Field(() => Int, { description: 'Month, 1 to 12.' }) month!: number;
  @Field(() => Int, { description: 'Year.' }) year!: number;
}

@ObjectType('PaymentMethod', { description: 'The payment method on file. The service never sees its number.' })
class PaymentMethodType {
  @Field(() => String, { description: 'Brand of the card, such as `visa`, or the type of another payment method.' })
  brand!: string;
  @Field(() => String, { nullable: true, description: 'Last four digits; null if there are none.' })
  last4!: string | null;
  @Field(() => CardExpiry, { nullable: true, description: 'Last month of validity; null if it is not a card.' })
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
