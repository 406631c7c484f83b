import { withCheckContext } from '../seed/check-context.ts';
import { measureBatches, payments } from './batches.ts';
import { measureReads } from './lists.ts';
import { type ScaleSize, scaleParts } from './parts.ts';
import { partitionedTables } from '../../src/conversations/partition-conversations.ts';
import { convertToPartitions } from '../../src/core/database/partitions/convert.ts';
import type { PartitionResults, ScaleResults } from './report.ts';

/** Measures reads and batches of a seeded database. */
export const measureScale = (url: string, size: ScaleSize): Promise<ScaleResults> =>
  withCheckContext(
    url,
    Object.values(scaleParts),
    async (context) => ({ size, reads: await measureReads(context), batches: await measureBatches(context) }),
    { ports: { payments } },
  );

const readsOf = (url: string) => withCheckContext(url, Object.values(scaleParts), measureReads);

/** Converts the messages to partitions. Measures the conversion, and reads before and after it. */
export async function measurePartitions(
  url: string,
  size: ScaleSize,
  partitions: number,
  say: (line: string) => void,
): Promise<PartitionResults> {
  const before = await readsOf(url);
  const startedMs = performance.now();
  const converted = await convertToPartitions({ url, tables: partitionedTables, say }, partitions);
  const seconds = (performance.now() - startedMs) / 1_000;
  return { size, partitions, before, after: await readsOf(url), seconds, ...(converted ?? { rows: 0, lockedMs: 0 }) };
}
