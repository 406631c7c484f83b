import { defineEntity, p } from '@mikro-orm/postgresql';
import type { CustomerState } from './state.ts';

const SimulatedCustomerSchema = defineEntity({
  name: 'SimulatedCustomer',
  tableName: 'simulated_customers',
  properties: {
    id: p.text().primary(),
    state: p.json<CustomerState>(),
    /** Time of the next scheduled change, in Unix milliseconds. */
    due: p.bigint('number').strictNullable(),
    /** Whether events are waiting to be sent. */
    unsent: p.boolean().default(false),
  },
});

/** A customer of the payment simulator, with their complete state. */
export class SimulatedCustomer extends SimulatedCustomerSchema.class {}
SimulatedCustomerSchema.setClass(SimulatedCustomer);
