import { at, type FaultRow } from './fault-row.ts';

/** Disks, memory, migrations, and everything at once. */
export const machine: readonly FaultRow[] = [
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
    fault: 'a credential is revoked, or an agent deleted, while it is used',
    scenarios: [
      at('accounts/sessions.test.ts', 'DELETE /v1/auth/sessions/:id ends it at once', '1 session on 2 instances'),
      at('faults/more/limits.fault.ts', 'a key that is revoked while both instances', '10 keys, long 100'),
      at('faults/more/limits.fault.ts', 'an agent that is deleted while both instances', '4 agents, long 20'),
    ],
  },
  {
    id: 'F47',
    fault: 'the mail server is down',
    scenarios: [at('faults/account-life.test.ts', 'a mail server that is down', '1 outage')],
  },
  {
    id: 'F48',
    fault: 'instances, PostgreSQL and the ways to others break at random, while everything is used',
    scenarios: [at('faults/more/chaos.fault.ts', 'whatever breaks every few seconds', '45 s, long 2 hours')],
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
