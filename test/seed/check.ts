import pg from 'pg';
import { readConfig } from '../../src/app/config.ts';
import type { FileStore } from '../../src/core/files.ports.ts';
import { createHarness } from '../support/harness.ts';
import { backlogChecks } from './backlog-checks.ts';
import { deletionChecks } from './deletion-checks.ts';
import type { CheckContext } from './check-context.ts';
import { countDone } from './fill.ts';
import { listChecks } from './list-checks.ts';
import { type Check, measure, type Measured, table } from './measure.ts';
import { ownerId } from './part.ts';
import { parts } from './parts.ts';
import { removalChecks } from './removal-checks.ts';
import { upkeepChecks } from './upkeep-checks.ts';

interface CheckOptions {
  /** Also deletes what is large. */
  remove: boolean;
  /** Measures only checks whose name contains it. */
  only?: string;
  /** Receives each result as it is known. */
  onMeasured?: (result: Measured) => void;
}

/** Measures every query at the volumes that a database has. */
export async function measureAll(url: string, { remove, only = '', onMeasured = () => undefined }: CheckOptions) {
  const config = readConfig({ PROFILE: 'embedded', DATABASE_URL: url });
  const harness = await createHarness({ url, config, ports: { files: noFiles } });
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    await db.query('set statement_timeout = 0');
    const counts: Record<string, number> = {};
    for (const part of parts) counts[part.name] = await countDone(db, part);
    const context: CheckContext = {
      db,
      url,
      counts,
      system: harness.newCtx,
      as: (userId) => ({ ...harness.newCtx(), actor: { ...user, userId } }),
    };
    const checks: Check[] = [
      ...(await listChecks(context)),
      ...deletionChecks(context),
      ...upkeepChecks(context),
      ...backlogChecks(context),
      ...(remove ? removalChecks(context) : []),
    ];
    const results: Measured[] = [];
    for (const check of checks.filter(({ what }) => what.includes(only))) {
      const result = await measure(check);
      results.push(result);
      onMeasured(result);
    }
    return { counts, results };
  } finally {
    await db.end();
    await harness.close();
  }
}

/** The checks are about the database. */
const noFiles = { list: async function* () {} } as unknown as FileStore;

const user = {
  kind: 'user',
  userId: ownerId,
  plan: 'creator',
  scopes: ['account:write'],
  sessionId: null,
  apiKeyId: null,
  ip: null,
} as const;

/** Prints each result as it is known, and the table at the end. Returns whether every bound holds. */
export async function check(url: string, options: CheckOptions): Promise<boolean> {
  const { counts, results } = await measureAll(url, {
    ...options,
    onMeasured: (result) => void process.stderr.write(`${table([result]).split('\n').at(-1)}\n`),
  });
  const rows = Object.entries(counts).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  process.stdout.write(`\nWith ${rows.join(', ')}.\n\n${table(results)}\n`);
  return results.every(({ ms, boundMs }) => ms <= boundMs);
}
