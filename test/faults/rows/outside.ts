import { at, type FaultRow } from './fault-row.ts';

/** Webhook receivers, Stripe, vectors, and background work. */
export const outside: readonly FaultRow[] = [
  {
    id: 'F28',
    fault: 'a webhook endpoint hangs, responds byte by byte, redirects, resets …',
    scenarios: [
      at('core/safe-fetch.test.ts', 'an endpoint that misbehaves', 'every kind of misbehaviour'),
      at('webhooks/deliveries.test.ts', 'a delivery > honors Retry-After', '1 answer 429'),
    ],
  },
  {
    id: 'F29',
    fault: 'a dead endpoint among healthy ones',
    scenarios: [at('webhooks/webhooks.test.ts', 'an endpoint that hangs delays no other', '1 endpoint')],
  },
  {
    id: 'F30',
    fault: '99 failures in a row, and the hundredth',
    scenarios: [
      at('webhooks/deliveries.test.ts', 'a webhook', '100 failures'),
      at('webhooks/disabling.test.ts', 'two instances together stop at the hundredth failure', '2 instances'),
      at('webhooks/disabling.test.ts', 'one success after 99 failures', '2 instances'),
    ],
  },
  {
    id: 'F31',
    fault: 'a backlog of webhook events after an hour of outage',
    scenarios: [
      at('faults/more/backlog.fault.ts', 'delivers a backlog that becomes due at once', '5,040 events, long 100,044'),
    ],
  },
  {
    id: 'F32',
    fault: 'a task that kills its process every time',
    scenarios: [
      at('faults/task-kill.fault.ts', 'neither loses nor repeats tasks of a killed process', '8 kills'),
      at('core/tasks.test.ts', 'the task queue > marks a task as failed when its process dies', '1 task'),
    ],
  },
  {
    id: 'F33',
    fault: 'processor events repeated, out of order, late, forged; a crash between Stripe and the commit',
    scenarios: [
      at('billing/processor-events.test.ts', 'an event', 'every kind of event'),
      at('billing/processor-events.test.ts', 'the events of a subscription', 'shuffled and repeated'),
      at('faults/billing.fault.ts', 'when the service dies between', '4 lost answers'),
      at('faults/billing.fault.ts', 'when the events of a day are lost', '1 day'),
    ],
  },
  {
    id: 'F34',
    fault: 'Stripe hangs, refuses, or returns conflicts',
    scenarios: [
      at('faults/billing.fault.ts', 'while Stripe is down', '4 mishaps'),
      at(
        'faults/billing.fault.ts',
        'when the service dies between the response of Stripe and its own commit > never',
        '4 runs, long 500',
      ),
    ],
  },
  {
    id: 'F35',
    fault: 'Pinecone is down, slow or stale',
    scenarios: [
      at('faults/knowledge-stores.fault.ts', 'with Pinecone', '2 faults'),
      at('providers/pinecone-vectors.test.ts', 'a query does not wait for a Pinecone', '3 hangs'),
      at(
        'faults/knowledge-stores.fault.ts',
        'with PostgreSQL > finds by words and replies while the embedding provider',
        '1 fault',
      ),
    ],
  },
  {
    id: 'F36',
    fault: 'embedding fails midway, or its process is killed',
    scenarios: [
      at('faults/knowledge-kill.fault.ts', 'resumes a failed embedding', '1 failure'),
      at('faults/knowledge-kill.fault.ts', 'completes a document whose process is killed', '4 kills'),
    ],
  },
  {
    id: 'F90',
    fault: 'a chat platform refuses replies, or asks to wait without a time',
    scenarios: [
      at('integrations/refusals.test.ts', 'the owner is notified, nothing is charged', '3 platforms'),
      at('integrations/refusals.test.ts', 'a platform that asks to wait without a time', '1 platform'),
    ],
  },
  {
    id: 'F94',
    fault: 'a receiver closes a kept connection as the next request is sent, or sends an unrequested 100 Continue',
    scenarios: [
      at('core/safe-fetch.test.ts', 'a kept connection that the peer closes', '2 connections'),
      at('core/safe-fetch.test.ts', 'an endpoint that misbehaves > may send "100 Continue"', '1 response'),
    ],
  },
  {
    id: 'F95',
    fault: 'customers are deleted, prices replaced and first payments left unfinished in Stripe',
    scenarios: [
      at('billing/changed-at-stripe.test.ts', 'a customer who was deleted at the processor', '2 deletions'),
      at('billing/changed-at-stripe.test.ts', 'a subscription whose price is not for sale any more', '3 prices'),
      at('billing/changed-at-stripe.test.ts', 'a first payment that has not succeeded', '1 subscription'),
    ],
  },
];
