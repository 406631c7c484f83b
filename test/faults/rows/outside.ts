import { at, type FaultRow } from './fault-row.ts';

/** Receivers of webhooks, Stripe, vectors, and work in the background. */
export const outside: readonly FaultRow[] = [
  {
    id: 'F28',
    fault: 'a webhook endpoint hangs, drips, redirects, resets …',
    scenarios: [
      at('core/safe-fetch.test.ts', 'an endpoint that misbehaves', 'every kind of misbehaviour'),
      at('webhooks/deliveries.test.ts', 'a delivery > waits longer when the endpoint asks', '1 answer 429'),
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
      at('webhooks/deliveries.test.ts', 'disabling', '100 failures'),
      at('webhooks/disabling.test.ts', 'two instances together stop at the hundredth failure', '2 instances'),
      at('webhooks/disabling.test.ts', 'one success after ninety-nine failures', '2 instances'),
    ],
  },
  {
    id: 'F31',
    fault: 'a backlog of webhook events after an hour of outage',
    scenarios: [at('faults/more/backlog.fault.ts', 'a backlog that comes due at once', '5,040 events, long 100,044')],
  },
  {
    id: 'F32',
    fault: 'a task that kills its process every time',
    scenarios: [
      at('faults/task-kill.test.ts', 'tasks of a process killed with -9', '8 kills'),
      at('core/tasks.test.ts', 'a task whose process dies on every attempt', '1 task'),
    ],
  },
  {
    id: 'F33',
    fault: 'processor events twice, out of order, late, forged; a crash between Stripe and us',
    scenarios: [
      at('billing/processor-events.test.ts', 'an event', 'every kind of event'),
      at('billing/processor-events.test.ts', 'the events of a story', 'shuffled and repeated'),
      at('faults/billing.test.ts', 'when the service dies between', '4 lost answers'),
      at('faults/billing.test.ts', 'when the events of a day are lost', '1 day'),
    ],
  },
  {
    id: 'F34',
    fault: 'Stripe hangs, refuses, or is in conflict',
    scenarios: [
      at('faults/billing.test.ts', 'while Stripe is down', '4 mishaps'),
      at(
        'faults/billing.test.ts',
        'when the service dies between the answer of Stripe and its own commit > never',
        '4 runs, long 500',
      ),
    ],
  },
  {
    id: 'F35',
    fault: 'Pinecone is down, slow or behind',
    scenarios: [
      at('faults/knowledge-stores.test.ts', 'with Pinecone', '2 faults'),
      at('providers/pinecone-vectors.test.ts', 'a question is not kept waiting', '3 hangs'),
      at('faults/knowledge-stores.test.ts', 'with PostgreSQL > while the embedding provider', '1 fault'),
    ],
  },
  {
    id: 'F36',
    fault: 'embedding fails on the way, or its process is killed',
    scenarios: [
      at('faults/knowledge-kill.test.ts', 'an embedding that fails', '1 failure'),
      at('faults/knowledge-kill.test.ts', 'a document whose process is killed', '4 kills'),
    ],
  },
];
