import { at, type FaultRow } from './fault-row.ts';

/** Disks, memory, migrations, and combinations. */
export const machine: readonly FaultRow[] = [
  {
    id: 'F37',
    fault: 'the disk for uploads is full',
    scenarios: [at('faults/more/resources.fault.ts', 'returns 503 for uploads onto a full disk', '8 uploads')],
  },
  {
    id: 'F38',
    fault: 'the disk of PostgreSQL is full',
    scenarios: [at('faults/more/resources.fault.ts', 'returns 503 with PostgreSQL on a full disk', '1 full disk')],
  },
  {
    id: 'F39',
    fault: 'the disk for logs is full, or their pipe is closed',
    scenarios: [
      at('faults/more/logs.fault.ts', 'serves requests while the disk', '200 lines'),
      at('faults/more/logs.fault.ts', 'serves requests while the pipe', '200 lines'),
    ],
  },
  {
    id: 'F40',
    fault: 'no file descriptor is left',
    scenarios: [
      at('faults/more/resources.fault.ts', 'survives 1,000 clients with 256 file descriptors', '1,000 clients'),
    ],
  },
  {
    id: 'F41',
    fault: 'not enough memory for the requests',
    scenarios: [
      at(
        'faults/more/resources.fault.ts',
        'survives fifty uploads of 10 MB and bodies of 5 MB at once with a heap of 256 MB',
        '50 uploads, 20 bodies',
      ),
    ],
  },
  {
    id: 'F42',
    fault: 'input that blocks the event loop',
    scenarios: [
      at('knowledge/refusals.test.ts', 'a document that cannot be read ends as failed', 'every kind of document'),
      at('faults/more/resources.fault.ts', 'serves other requests quickly while input', '7 inputs × 2'),
    ],
  },
  {
    id: 'F43',
    fault: 'instances migrate at the same time, or while others serve',
    scenarios: [
      at('core/migrate.test.ts', 'instances that start at once', '4 instances'),
      at('core/migrations.test.ts', 'a migration beside running instances', '1 table in use, 1 older release'),
      at('faults/more/migrations.fault.ts', 'leaves no half schema when a migrator is killed', '5 kills, long 38'),
    ],
  },
  {
    id: 'F44',
    fault: 'a chat platform disconnects, revokes or repeats; its worker is killed',
    scenarios: [
      at('faults/platforms-connections.fault.ts', 'a gateway connection', '5 cuts'),
      at('faults/platforms-connections.fault.ts', 'a repeated delivery', '6 repeats'),
      at('faults/platforms-connections.fault.ts', 'a connection ends', '6 ends'),
      at('faults/platforms-kill.fault.ts', 'replaces a worker that is killed during replies', '1 kill'),
    ],
  },
  {
    id: 'F45',
    fault: 'a credential is revoked, or an agent deleted, while it is used',
    scenarios: [
      at('accounts/sessions.test.ts', 'DELETE /v1/auth/sessions/:id revokes the session', '1 session on 2 instances'),
      at(
        'faults/more/limits.fault.ts',
        'refuses every request that begins after a key was revoked',
        '10 keys, long 100',
      ),
      at(
        'faults/more/limits.fault.ts',
        'returns 404 for every request that begins after an agent was deleted',
        '4 agents, long 20',
      ),
    ],
  },
  {
    id: 'F47',
    fault: 'the mail server is down',
    scenarios: [at('faults/account-life.fault.ts', 'loses no mail while the mail server is down', '1 outage')],
  },
  {
    id: 'F48',
    fault: 'instances, PostgreSQL and connections to others fail at random under load',
    scenarios: [at('faults/more/chaos.fault.ts', 'violates no invariant while instances', '45 s, long 2 hours')],
  },
  {
    id: 'F49',
    fault: 'a backup taken under load is restored: a copy of one snapshot, since PostgreSQL from npm has no pg_dump',
    scenarios: [at('faults/restore.test.ts', 'restores a complete backup made under load', '1 backup')],
  },
  {
    id: 'F50',
    fault: 'an unexpected exception',
    scenarios: [
      at('faults/more/exceptions.fault.ts', 'returns internal_error without details', '4 exceptions'),
      at(
        'faults/more/exceptions.fault.ts',
        'ends a stream with an error event after an exception while the reply',
        '1 exception',
      ),
    ],
  },
  {
    id: 'F105',
    fault: 'a build at the start is killed, starts happen at the same time, or sources change under a running service',
    scenarios: [at('deploy/start.fault.ts', 'builds once for starts', '1 kill, 2 starts at once, 1 change')],
  },
];
