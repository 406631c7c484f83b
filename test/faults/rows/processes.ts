import { at, type FaultRow } from './fault-row.ts';

/** Processes that die or are replaced, and the database beneath them. */
export const processes: readonly FaultRow[] = [
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
      at('core/task-leases.test.ts', 'a holder whose lease ran out writes no outcome', '1 lost lease'),
      at('webhooks/lost-leases.test.ts', 'a lost lease', '3 lost leases'),
      at('faults/more/contention.fault.ts', 'writers that deadlock', '50 writers, 300 changes, long 5,000'),
    ],
  },
];
