import { createHmac } from 'node:crypto';
import { checkoutWire, customerWire, invoiceWire, scheduleWire, subscriptionWire, type Wire } from './objects.ts';
import {
  type Checkout,
  type CustomerState,
  type Invoice,
  newObjectId,
  type QueuedEvent,
  type Schedule,
  type Subscription,
} from './state.ts';

/** Modes of event delivery: `held` keeps events until the mode changes; the others simulate network faults. */
export const deliveryModes = ['normal', 'twice', 'reversed', 'held'] as const;
export type DeliveryMode = (typeof deliveryModes)[number];

type About = CustomerState | Subscription | Schedule | Invoice | Checkout;

/** Enqueues an event with the current state of an object. */
export function emit(state: CustomerState, type: string, about: About, now: number): void {
  const id = newObjectId(state, 'evt');
  const event = {
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: now,
    type,
    livemode: false,
    pending_webhooks: 1,
    data: { object: wireOf(state, about) },
  };
  state.unsent.push({ id, body: JSON.stringify(event) });
}

function wireOf(state: CustomerState, about: About): Wire {
  if ('lines' in about) return invoiceWire(state, about);
  if ('successUrl' in about) return checkoutWire(state, about);
  if ('phases' in about) return scheduleWire(state, about);
  return 'anchor' in about ? subscriptionWire(state, about) : customerWire(about);
}

/** Returns Stripe's signature header for a body. */
export function sign(body: string, secret: string, timestampSeconds: number): string {
  const signature = createHmac('sha256', secret).update(`${timestampSeconds}.${body}`).digest('hex');
  return `t=${timestampSeconds},v1=${signature}`;
}

/** Returns the events in the order in which they are posted. */
export function inDeliveryOrder(events: readonly QueuedEvent[], mode: DeliveryMode): QueuedEvent[] {
  if (mode === 'held') return [];
  if (mode === 'reversed') return events.toReversed();
  return mode === 'twice' ? events.flatMap((event) => [event, event]) : [...events];
}
