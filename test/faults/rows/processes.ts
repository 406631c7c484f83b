import { at, type FaultRow } from './fault-row.ts';

/** Processes that die or are replaced, and the database. */
export const processes: readonly FaultRow[] = [
  {
    id: 'F57',
    fault: 'kill -9 under sockets: the log of each client',
    scenarios: [at('faults/more/sockets.fault.ts', 'sends every client each message once', '2 kills, long 10')],
  },
  {
    id: 'F01',
    fault: 'kill -9 during a streamed reply',
    scenarios: [
      at('faults/generations.fault.ts', 'stores a message once after kill -9 during its reply', '1 kill'),
      at('faults/generations.fault.ts', 'replies to the same message at the first attempt', '1 kill'),
      at(
        'faults/generations.fault.ts',
        'refunds the message and frees the conversation after kill -9 without a retry',
        '1 kill',
      ),
      at('faults/generations.fault.ts', 'loses and duplicates nothing acknowledged', '3 kills, long 200'),
      at('faults/rooms.fault.ts', 'fails the turn of a killed instance', '1 kill'),
      at('faults/rooms.fault.ts', 'stores one reply of a turn whose instance freezes past its lease', '1 freeze'),
      at('faults/rooms.fault.ts', 'shows the people of a killed instance as gone', '1 kill'),
      at('faults/more/kills.fault.ts', 'replies within 15 s after kill -9 at each step', '8 steps'),
    ],
  },
  {
    id: 'F02',
    fault: 'kill -9 while a client waits for a reply',
    scenarios: [
      at('faults/more/kills.fault.ts', 'loses and duplicates nothing acknowledged after kill -9', '5 kills, long 200'),
    ],
  },
  {
    id: 'F03',
    fault: 'kill -9 during an upload',
    scenarios: [
      at(
        'faults/more/uploads.fault.ts',
        'completes acknowledged uploads within 60 s after kill -9',
        '6 steps, long × 40',
      ),
    ],
  },
  {
    id: 'F04',
    fault: 'kill -9 during webhook deliveries',
    scenarios: [
      at('faults/webhooks.fault.ts', 'delivers every event despite kill -9', '3 kills, long 12'),
      at(
        'faults/more/webhooks.fault.ts',
        'delivers every event after kill -9 before, after and between',
        '3 moments, long × 100',
      ),
    ],
  },
  {
    id: 'F05',
    fault: 'SIGTERM',
    scenarios: [
      at('faults/generations.fault.ts', 'finishes running replies on SIGTERM', '1 stop'),
      at('faults/platforms-kill.fault.ts', 'hands over the connections of a stopped worker', '1 stop'),
      at('faults/more/rolling.fault.ts', 'fails no request while instances are replaced', '3 restarts, long 20'),
      at('faults/upgrade.fault.ts', 'fails no request during an upgrade under load', '1 upgrade'),
    ],
  },
  {
    id: 'F06',
    fault: 'two instances on one database',
    scenarios: [
      at('faults/webhooks.fault.ts', 'delivers every event once with two workers', '600 events, long 5,000'),
      at('core/tasks.test.ts', 'the task queue > gives each task to one of two workers', '2 workers'),
    ],
  },
  {
    id: 'F08',
    fault: 'PostgreSQL is restarted',
    scenarios: [at('faults/more/postgres.fault.ts', 'returns 503 until PostgreSQL restarted', '3 restarts, long 20')],
  },
  {
    id: 'F09',
    fault: 'PostgreSQL is killed',
    scenarios: [
      at('faults/postgres-crash.fault.ts', 'completes and stores a reply during which', '1 kill'),
      at('faults/postgres-crash.fault.ts', 'completes and stores a turn of a room during which', '1 kill'),
      at('faults/postgres-crash.fault.ts', 'returns 503 with Retry-After while PostgreSQL', '1 kill'),
      at(
        'faults/webhooks.fault.ts',
        'delivers every acknowledged change when PostgreSQL is killed',
        '2 kills, long 10',
      ),
      at('faults/more/postgres.fault.ts', 'returns 503 until PostgreSQL killed', '3 kills, long 20'),
    ],
  },
  {
    id: 'F10',
    fault: 'PostgreSQL is silent: half-open or frozen',
    scenarios: [
      at(
        'faults/more/postgres.fault.ts',
        'ends every request within 5 s with 503 with PostgreSQL behind',
        '8 s, long 20 s',
      ),
      at(
        'faults/more/postgres.fault.ts',
        'ends every request within 5 s with 503 with PostgreSQL that is frozen',
        '8 s, long 20 s',
      ),
    ],
  },
  {
    id: 'F11',
    fault: 'every connection to PostgreSQL is in use',
    scenarios: [
      at('faults/more/contention.fault.ts', 'refuses requests within 2 s while every connection', '1 exhaustion'),
    ],
  },
  {
    id: 'F12',
    fault: 'deadlocks, serialization failures, work that runs twice at once',
    scenarios: [
      at('core/task-leases.test.ts', 'a task lease > writes no outcome of a holder', '1 lost lease'),
      at('webhooks/lost-leases.test.ts', 'an outcome whose lease was lost', '3 lost leases'),
      at(
        'webhooks/clock-skew.test.ts',
        'two instances, one of them two minutes ahead > send every delivery once',
        '20 deliveries, 120 s of skew',
      ),
      at('faults/webhooks.fault.ts', 'sends nothing after a freeze', '100 deliveries'),
      at('faults/more/contention.fault.ts', 'retries writers that deadlock', '50 writers, 300 changes, long 5,000'),
    ],
  },
  {
    id: 'F51',
    fault: 'a process that is suspended past its leases and resumed',
    scenarios: [
      at('faults/knowledge-kill.fault.ts', 'writes nothing twice when a suspended process', '1 suspension'),
      at('faults/platforms-kill.fault.ts', 'replies once to each message when a suspended', '1 suspension'),
      at('integrations/deliver-reply.test.ts', 'deliverReply', '3 takeovers'),
      at('faults/freezing.fault.ts', 'an instance that is frozen past every lease and resumes', '1 freeze'),
      at('faults/frozen-export.fault.ts', 'an export whose process is frozen past its lease', '1 freeze'),
    ],
  },
  {
    id: 'F52',
    fault: 'wall clocks that are wrong, or jump',
    scenarios: [
      at('faults/wrong-clocks.fault.ts', 'one of two instances whose clock is wrong', '± 120 s'),
      at('faults/wrong-clocks.fault.ts', 'a clock that jumps', '± 1 h'),
    ],
  },
  {
    id: 'F53',
    fault: 'a worker is killed while an image is made',
    scenarios: [at('faults/images-kill.test.ts', 'a worker that is killed while an image is made', '1 kill')],
  },
  {
    id: 'F54',
    fault: 'kill -9 while a version is published, or an experiment is started or concluded',
    scenarios: [at('faults/more/studio-kills.fault.ts', 'leaves one live version and no half experiment', '6 steps')],
  },
  {
    id: 'F60',
    fault: 'kill -9 while a visitor of a website sends a message',
    scenarios: [at('faults/more/embed-kills.fault.ts', 'counts a visitor’s message once', '3 steps')],
  },
  {
    id: 'F65',
    fault: 'PostgreSQL is restarted under sockets',
    scenarios: [
      at('faults/more/socket-network.fault.ts', 'sends every message once and in order', '2 restarts, long 10'),
    ],
  },
  {
    id: 'F66',
    fault: 'notifications are lost: the connections that hear them are cut',
    scenarios: [
      at('faults/more/socket-network.fault.ts', 'sends every message to sockets although', '20 cuts, long 200'),
    ],
  },
  {
    id: 'F67',
    fault: 'a half-open connection: the client of a socket is gone without a word',
    scenarios: [at('faults/more/socket-network.fault.ts', 'frees a socket whose client is gone', '1 connection')],
  },
  {
    id: 'F68',
    fault: 'kill -9 under a person who is present in a room',
    scenarios: [at('faults/more/presence.fault.ts', 'shows no one as present 30 s after', '1 kill, long 5')],
  },
  {
    id: 'F70',
    fault: 'the replica lags, stops or is promoted',
    scenarios: [
      at('core/replica.test.ts', 'a replica > that lags is not used', '1 pause'),
      at('core/replica.test.ts', 'a replica > that stops is not used', '1 stop'),
      at('core/replica.test.ts', 'a promoted replica is no longer used', '1 promotion'),
    ],
  },
  {
    id: 'F102',
    fault: 'kill -9 while a large share is copied in batches, and while stored bytes are counted',
    scenarios: [
      at(
        'faults/more/storage-kills.fault.ts',
        'copies a whole share once, and counts its bytes exactly',
        '3 kills, long 20',
      ),
    ],
  },
];
