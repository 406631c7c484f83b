import { purgeAccount } from '../../src/accounts/deletion/purge-account.ts';
import { aggregateActivity } from '../../src/agents/popularity.ts';
import { catalog } from '../../src/app/features.ts';
import { findLastComparison } from '../../src/billing/processor/compare-accounts.ts';
import type { Ports } from '../../src/core/ctx.ts';
import type { Job } from '../../src/core/tasks/job.ts';
import { runDueTasks } from '../../src/core/tasks/task-runner.ts';
import { type TaskKind, writeTask } from '../../src/core/tasks/tasks.ts';
import { removeOrphans } from '../../src/knowledge/remove-orphans.ts';
import { recountSocial } from '../../src/social/counters/recount.ts';
import type { CheckContext } from '../seed/check-context.ts';
import { forget } from '../seed/fill.ts';
import { timeOf } from '../seed/measure.ts';
import type { SeedPart } from '../seed/part.ts';
import { encryptionKeys, scaleParts } from './parts.ts';

/** Work over the rows of all accounts. */
interface Batch {
  what: string;
  /** Number of rows of one run for a million accounts, and the maximum duration of that run. */
  rowsOfMillion: number;
  withinHours: number;
  /** The seeded part that the run consumes; the next seed refills it. */
  consumes?: SeedPart;
  /** Returns the number of rows. */
  run(): Promise<number>;
}

export interface BatchRate extends Pick<Batch, 'what' | 'rowsOfMillion' | 'withinHours'> {
  rows: number;
  seconds: number;
}

/** A payment processor that returns every customer immediately, so that only the service's own work is measured. */
export const payments = {
  getAccount: async () => ({ subscriptions: [], invoices: [], asOf: new Date() }),
} as unknown as Ports['payments'];

/** Number of ranges of five hundred accounts each, enough to measure a rate. */
const rangesCompared = 20;

const { signal } = new AbortController();
const run = { attempt: 1, signal, heartbeat: async () => undefined, complete: async () => undefined };

/** Runs each batch over all seeded rows, in this process. */
export async function measureBatches(context: CheckContext): Promise<BatchRate[]> {
  const rates: BatchRate[] = [];
  for (const batch of batchesOf(context)) {
    if (batch.consumes) await forget(context.db, [batch.consumes]);
    let rows = 0;
    const ms = await timeOf(async () => void (rows = await batch.run()));
    rates.push({ ...batch, rows, seconds: ms / 1_000 });
  }
  return rates;
}

function batchesOf({ db, counts, system }: CheckContext): Batch[] {
  const rowsOf = ({ name }: SeedPart): number => counts[name] ?? 0;
  const { accounts, expired, activity, ofLeavers } = scaleParts;
  const runTasks = (kind: TaskKind, newCtx = system): Promise<void> =>
    runDueTasks(
      (catalog.jobs as readonly Job[]).filter((job) => job.kind === kind),
      { newCtx },
    );
  return [
    {
      what: 'billing comparison, without the time of the processor',
      rowsOfMillion: 1_000_000,
      withinHours: 24,
      run: async () => {
        await writeTask(system(), 'billing.compare', {});
        await runTasks('billing.compare');
        await db.query(
          `delete from tasks where kind = 'billing.compare-range' and id not in (
             select id from tasks where kind = 'billing.compare-range' order by id limit ${rangesCompared})`,
        );
        await runTasks('billing.compare-range');
        return (await findLastComparison(system()))?.compared ?? 0;
      },
    },
    {
      what: 're-encryption',
      rowsOfMillion: 1_000_000,
      withinHours: 24,
      run: async () => {
        // The second run re-encrypts with the first key.
        const { rows } = await db.query<{ secret: string }>('select secret from webhooks where secret <> $1 limit 1', [
          'none',
        ]);
        const keys = rows[0]?.secret.startsWith(encryptionKeys[0]?.id ?? '')
          ? encryptionKeys.toReversed()
          : encryptionKeys;
        const newCtx = () => ({ ...system(), config: { ...system().config, encryptionKeys: keys } });
        await writeTask(newCtx(), 'service.re-encrypt', {});
        await runTasks('service.re-encrypt', newCtx);
        await runTasks('service.re-encrypt-range', newCtx);
        return rowsOf(accounts);
      },
    },
    {
      what: 'retention: expired sessions and their tokens',
      rowsOfMillion: 1_000_000,
      withinHours: 1,
      consumes: expired,
      run: () =>
        catalog.expiries.find(({ name }) => name === 'sessions')?.remove(system(), signal) ?? Promise.resolve(0),
    },
    {
      what: 'purge of accounts: messages',
      // One percent of the accounts per month, with a thousand messages each.
      rowsOfMillion: 333_000,
      withinHours: 24,
      consumes: ofLeavers,
      run: async () => {
        const { rows } = await db.query<{ id: string }>(
          `update users set deletion_requested_at = now() - interval '40 days' where username like 'leaver-%' returning id`,
        );
        const newCtx = () => ({ ...system(), catalog: { ...catalog, purgeSteps: [] } });
        for (const { id } of rows) await purgeAccount(newCtx(), id, run);
        return rowsOf(ofLeavers);
      },
    },
    {
      what: 'stray checks: documents',
      rowsOfMillion: 1_000_000,
      withinHours: 1 / 6,
      run: async () => {
        await removeOrphans(system(), 'chunks', signal);
        return rowsOf(accounts);
      },
    },
    {
      what: 'statistics: messages of agents',
      rowsOfMillion: 1_000_000,
      withinHours: 1,
      consumes: activity,
      run: () => aggregateActivity(system()),
    },
    {
      what: 'statistics: counters of profiles',
      rowsOfMillion: 1_000_000,
      withinHours: 24,
      run: async () => {
        await db.query('update profiles set recount_due = true');
        return (await recountSocial(system(), run)).counters;
      },
    },
  ];
}
