import { backlogChecks } from './backlog-checks.ts';
import { deletionChecks } from './deletion-checks.ts';
import { withCheckContext } from './check-context.ts';
import { listChecks } from './list-checks.ts';
import { type Check, measure, type Measured, table } from './measure.ts';
import { parts } from './parts.ts';
import { removalChecks } from './removal-checks.ts';
import { upkeepChecks } from './upkeep-checks.ts';

interface CheckOptions {
  /** Also runs the checks that delete large objects. */
  remove: boolean;
  /** Runs only checks whose name contains it. */
  only?: string;
  /** Receives each result as it is known. */
  onMeasured?: (result: Measured) => void;
}

/** Measures every query at the volumes of the database. */
export const measureAll = (url: string, { remove, only = '', onMeasured = () => undefined }: CheckOptions) =>
  withCheckContext(url, parts, async (context) => {
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
    return { counts: context.counts, results };
  });

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
