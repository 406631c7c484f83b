import { defineEntity, p } from '@mikro-orm/postgresql';
import { User } from '../../accounts/user.entity.ts';

export type IntentSlot = 'checkout' | 'subscription';

const BillingIntentSchema = defineEntity({
  name: 'BillingIntent',
  tableName: 'billing_intents',
  properties: {
    userId: p.manyToOne(User).mapToPk().name('user_id').deleteRule('cascade').primary(),
    slot: p.text().$type<IntentSlot>().primary(),
    request: p.text(),
    idempotencyKey: p.text(),
    /** Id of a completed checkout session; null until the processor has responded. */
    sessionId: p.text().strictNullable(),
    createdAt: p.datetime(3),
  },
});

/**
 * A request to the payment processor. It is stored before it is sent, so that a retry uses the same idempotency key.
 */
export class BillingIntent extends BillingIntentSchema.class {}
BillingIntentSchema.setClass(BillingIntent);
