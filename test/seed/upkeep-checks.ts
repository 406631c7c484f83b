import { catalog } from '../../src/app/features.ts';
import { removeOrphans } from '../../src/knowledge/remove-orphans.ts';
import { findDueEndpoints } from '../../src/webhooks/dispatch/claim-due.ts';
import { createEventPartitions } from '../../src/webhooks/deliveries/purge-deliveries.ts';
import type { CheckContext } from './check-context.ts';
import { type Check, longestStatement, timeOf } from './measure.ts';
import { ownerId } from './part.ts';

const signal = AbortSignal.timeout(3_600_000);

/** Background work: purges with nothing to remove, checks, gauges, and the pages of a data export. */
export function upkeepChecks({ system, as }: CheckContext): Check[] {
  return [
    ...catalog.expiries.map((expiry): Check => ({
      id: 'W3',
      what: `purge: ${expiry.name}`,
      boundMs: 100,
      run: () => longestStatement(() => expiry.remove(system(), signal)),
    })),
    { id: 'W3', what: 'new partitions', boundMs: 100, run: () => timeOf(() => createEventPartitions(system())) },
    {
      id: 'G5',
      what: 'search for orphaned chunks: a page',
      boundMs: 250,
      run: () => longestStatement(() => removeOrphans(system(), 'chunks', signal)),
    },
    ...catalog.gauges.map((group): Check => ({
      id: 'W5',
      what: `gauges: ${Object.keys(group.gauges)[0]}`,
      boundMs: 100,
      run: () => longestStatement(() => group.read(system())),
    })),
    ...catalog.exportSections.map(({ path, statement }): Check => ({
      id: 'G10',
      what: `data export: a page of ${path}`,
      boundMs: 100,
      run: () => timeOf(() => as(ownerId).sql(statement, [ownerId, new Date(0), '', 200])),
    })),
    {
      id: 'W3',
      what: 'a look for endpoints with due deliveries',
      boundMs: 100,
      run: () => timeOf(() => findDueEndpoints(system().sql, { after: '', limit: 5_000, from: null })),
    },
  ];
}
