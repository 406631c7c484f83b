/** One or more tests of a file, named by how their full names begin: `describe > test`. */
export interface Scenario {
  /** Below `test/`. */
  file: string;
  name: string;
  /** How often it breaks what, where the test does not say so itself: quick, and `--long` where that differs. */
  times: string;
}

/** A row of the catalogue of faults: what breaks, and the scenarios that break it. */
export interface FaultRow {
  id: string;
  fault: string;
  scenarios: readonly Scenario[];
}

const at = (file: string, name: string, times: string): Scenario => ({ file, name, times });

export const rows: readonly FaultRow[] = [
  {
    id: 'F01',
    fault: 'kill -9 in the middle of a streamed reply',
    scenarios: [
      at('faults/generations.test.ts', 'kill -9 in the middle of a reply', '1 kill'),
      at('faults/generations.test.ts', 'the same message sent after a restart', '1 kill'),
      at('faults/generations.test.ts', 'kill -9 without a retry', '1 kill'),
      at('faults/generations.test.ts', 'random kills under load', '3 kills, long 200'),
      at('faults/more/kills.fault.ts', 'kill -9 at each step of a reply', '8 steps'),
    ],
  },
  {
    id: 'F02',
    fault: 'kill -9 while a message is waited for',
    scenarios: [at('faults/more/kills.fault.ts', 'kill -9 while messages are waited for', '5 kills, long 200')],
  },
  {
    id: 'F03',
    fault: 'kill -9 in the middle of an upload',
    scenarios: [at('faults/more/uploads.fault.ts', 'kill -9 at each step of an upload', '6 steps, long × 40')],
  },
  {
    id: 'F04',
    fault: 'kill -9 in the middle of webhook deliveries',
    scenarios: [
      at('faults/webhooks.test.ts', 'kill -9 in the middle of it', '3 kills, long 12'),
      at('faults/more/webhooks.fault.ts', 'kill -9 before a POST, after it and between', '3 moments, long × 100'),
    ],
  },
  {
    id: 'F05',
    fault: 'SIGTERM',
    scenarios: [
      at('faults/generations.test.ts', 'SIGTERM lets a reply finish', '1 stop'),
      at('faults/platforms-kill.test.ts', 'a worker that is stopped hands', '1 stop'),
      at('faults/more/rolling.fault.ts', 'instances that are replaced one after the other', '3 restarts, long 20'),
      at('faults/upgrade.test.ts', 'an upgrade under load fails no request', '1 upgrade'),
    ],
  },
  {
    id: 'F06',
    fault: 'two instances on one database',
    scenarios: [
      at('faults/webhooks.test.ts', 'two workers deliver every event once', '600 events, long 5,000'),
      at('core/tasks.test.ts', 'two workers never hold the same task', '2 workers'),
    ],
  },
  {
    id: 'F08',
    fault: 'PostgreSQL is restarted',
    scenarios: [at('faults/more/postgres.fault.ts', 'PostgreSQL restarted under load', '3 restarts, long 20')],
  },
  {
    id: 'F09',
    fault: 'PostgreSQL is killed',
    scenarios: [
      at('faults/postgres-crash.test.ts', 'PostgreSQL killed in the middle of a reply', '1 kill'),
      at('faults/postgres-crash.test.ts', 'while PostgreSQL is away', '1 kill'),
      at('faults/webhooks.test.ts', 'PostgreSQL killed in the middle of it', '2 kills, long 10'),
      at('faults/more/postgres.fault.ts', 'PostgreSQL killed under load', '3 kills, long 20'),
    ],
  },
  {
    id: 'F10',
    fault: 'PostgreSQL is silent: half-open or frozen',
    scenarios: [
      at('faults/more/postgres.fault.ts', 'PostgreSQL that no byte comes back from', '8 s, long 20 s'),
      at('faults/more/postgres.fault.ts', 'PostgreSQL that is frozen', '8 s, long 20 s'),
    ],
  },
  {
    id: 'F11',
    fault: 'every connection to PostgreSQL is taken',
    scenarios: [at('faults/more/contention.fault.ts', 'while every connection is taken', '1 exhaustion')],
  },
  {
    id: 'F12',
    fault: 'deadlocks, serialization failures, work that runs twice at a time',
    scenarios: [
      at('core/tasks.test.ts', 'a holder whose lease ran out writes no outcome', '1 lost lease'),
      at('faults/more/contention.fault.ts', 'writers that deadlock', '50 writers, 300 changes, long 5,000'),
    ],
  },
  {
    id: 'F13',
    fault: 'the provider refuses, is not there, or is busy',
    scenarios: [
      at('providers/openai-language-model.test.ts', 'a provider that refuses', 'every kind of refusal'),
      at('providers/openai-language-model.test.ts', 'retries', 'every kind of retry'),
      at('conversations/send-message.test.ts', 'an Idempotency-Key > that failed is tried again', '1 failure'),
    ],
  },
  {
    id: 'F14',
    fault: 'the provider hangs before its first byte',
    scenarios: [
      at('providers/openai-language-model.test.ts', 'a provider that is silent', 'every kind of silence'),
      at('faults/more/hanging-provider.fault.ts', 'streams that wait', '100 streams, long 500'),
    ],
  },
  {
    id: 'F15',
    fault: 'the provider hangs or breaks in the middle',
    scenarios: [
      at('providers/openai-language-model.test.ts', 'a provider that breaks', 'every kind of break'),
      at('conversations/send-message.test.ts', 'a message that is streamed > fails as an HTTP error', '2 failures'),
    ],
  },
  {
    id: 'F17',
    fault: 'the prompt is too long, or the rate limited, inside of the stream',
    scenarios: [
      at('providers/openai-language-model.test.ts', 'a provider that refuses > because the prompt', '1 refusal'),
      at('providers/openai-language-model.test.ts', 'a provider that breaks', 'every kind of break'),
    ],
  },
  {
    id: 'F18',
    fault: 'clients that leave in the middle of a reply',
    scenarios: [
      at('conversations/send-message.test.ts', 'a message that is streamed > goes on without its client', '1 client'),
      at('conversations/send-message.test.ts', 'a message that is streamed > sent again while', '1 client'),
      at('faults/more/leaving-clients.fault.ts', 'clients that leave', '100 clients, long 1,000'),
    ],
  },
  {
    id: 'F19',
    fault: 'clients that read nothing',
    scenarios: [at('faults/slow-readers.test.ts', 'readers that never read', '20 clients')],
  },
  {
    id: 'F20',
    fault: 'thousands of streams at once on two instances',
    scenarios: [at('faults/more/streams.fault.ts', 'streams by the hundred at once', '400 streams, long 10,000')],
  },
  {
    id: 'F21',
    fault: 'the reply is fetched again, here or from another instance',
    scenarios: [at('faults/generations.test.ts', 'another instance serves a reply', '1 reply on 2 instances')],
  },
  {
    id: 'F22',
    fault: 'the same request many times at once',
    scenarios: [
      at('rest/idempotency.test.ts', 'makes one thing of fifty requests at once', '50 requests on 2 instances'),
      at('rest/idempotency.test.ts', 'is refused with another body', '1 request'),
      at('faults/more/duplicates.fault.ts', 'the same request fifty times', '5 × 2 × 50 requests'),
      at('faults/more/duplicates.fault.ts', 'two bodies under one key', '5 × 2 × 50 requests'),
      at('rest/idempotency.test.ts', 'lets go of work that a crash cut short', '1 crash'),
      at('conversations/send-message.test.ts', 'a message that is streamed > sent by a hundred clients', '100 clients'),
      at('conversations/send-message.test.ts', 'an Idempotency-Key > names the message', '4 requests'),
      at('knowledge/refusals.test.ts', 'an upload is refused > a repeated Idempotency-Key', '3 uploads'),
    ],
  },
  {
    id: 'F23',
    fault: 'more messages at once than the plan has left',
    scenarios: [
      at('conversations/send-message.test.ts', 'the messages of a day', '1 race'),
      at('faults/more/limits.fault.ts', 'a hundred messages at once over two instances', '4 races, long 40'),
    ],
  },
  {
    id: 'F24',
    fault: 'more agents or documents at once than the plan has left',
    scenarios: [
      at('agents/agents.test.ts', 'an agent that is made > is one too many for the plan', '1 race'),
      at('knowledge/refusals.test.ts', 'an upload is refused > beyond the plan', '1 race'),
    ],
  },
  {
    id: 'F25',
    fault: 'the day ends while messages are sent',
    scenarios: [at('faults/more/limits.fault.ts', 'the day of the quota ends at midnight UTC', '2 midnights')],
  },
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
  {
    id: 'F37',
    fault: 'the disk of the uploads is full',
    scenarios: [at('faults/more/resources.fault.ts', 'uploads onto a full disk', '8 uploads')],
  },
  {
    id: 'F38',
    fault: 'the disk of PostgreSQL is full',
    scenarios: [at('faults/more/resources.fault.ts', 'PostgreSQL on a full disk', '1 full disk')],
  },
  {
    id: 'F39',
    fault: 'the disk of the logs is full, or nobody reads them',
    scenarios: [
      at('faults/more/logs.fault.ts', 'requests are answered while the disk', '200 lines'),
      at('faults/more/logs.fault.ts', 'requests are answered while nobody reads', '200 lines'),
    ],
  },
  {
    id: 'F40',
    fault: 'no file descriptor is left',
    scenarios: [at('faults/more/resources.fault.ts', 'with 256 file descriptors', '1,000 clients')],
  },
  {
    id: 'F41',
    fault: 'too little memory for what is sent',
    scenarios: [at('faults/more/resources.fault.ts', 'with a heap of 256 MB', '50 uploads, 20 bodies')],
  },
  {
    id: 'F42',
    fault: 'input that is made to block the event loop',
    scenarios: [
      at('knowledge/refusals.test.ts', 'a document that cannot be read ends as failed', 'every kind of document'),
      at('faults/more/resources.fault.ts', 'input that is made to block', '7 inputs × 2'),
    ],
  },
  {
    id: 'F43',
    fault: 'instances migrate at the same time, or beside others at work',
    scenarios: [
      at('core/migrate.test.ts', 'instances that start at once', '4 instances'),
      at('core/migrations.test.ts', 'a migration beside running instances', '1 table in use, 1 older release'),
      at('faults/more/migrations.fault.ts', 'a migrator that is killed', '5 kills, long 38'),
    ],
  },
  {
    id: 'F44',
    fault: 'a chat platform cuts, revokes, repeats; its worker is killed',
    scenarios: [
      at('faults/platforms-connections.test.ts', 'a gateway connection', '5 cuts'),
      at('faults/platforms-connections.test.ts', 'what is delivered again', '6 repeats'),
      at('faults/platforms-connections.test.ts', 'a connection ends', '6 ends'),
      at('faults/platforms-kill.test.ts', 'a worker killed in the middle of replies', '1 kill'),
    ],
  },
  {
    id: 'F45',
    fault: 'a credential is revoked while it is used',
    scenarios: [
      at('accounts/sessions.test.ts', 'DELETE /v1/auth/sessions/:id ends it at once', '1 session on 2 instances'),
      at('faults/more/limits.fault.ts', 'a key that is revoked while both instances', '10 keys, long 100'),
    ],
  },
  {
    id: 'F47',
    fault: 'the mail server is down',
    scenarios: [at('faults/account-life.test.ts', 'a mail server that is down', '1 outage')],
  },
  {
    id: 'F48',
    fault: 'instances are killed and stopped for minutes, while everything is used',
    scenarios: [at('faults/more/chaos.fault.ts', 'instances that are killed and stopped', '30 s, long 2 hours')],
  },
  {
    id: 'F49',
    fault: 'a backup taken under load is restored: a copy of one snapshot, since PostgreSQL from npm has no pg_dump',
    scenarios: [at('faults/restore.test.ts', 'a backup made under load is whole', '1 backup')],
  },
  {
    id: 'F50',
    fault: 'an exception that nobody expected',
    scenarios: [
      at('faults/more/exceptions.fault.ts', 'an exception in ', '4 exceptions'),
      at('faults/more/exceptions.fault.ts', 'an exception while the reply', '1 exception'),
    ],
  },
];
