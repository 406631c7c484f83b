import { withCheckContext } from '../seed/check-context.ts';
import { measureBatches, payments } from './batches.ts';
import { measureReads } from './lists.ts';
import { scaleParts } from './parts.ts';
import type { ScaleResults } from './report.ts';

/** Measures reads and batches of a seeded database. */
export const measureScale = (url: string, size: ScaleResults['size']): Promise<ScaleResults> =>
  withCheckContext(
    url,
    Object.values(scaleParts),
    async (context) => ({ size, reads: await measureReads(context), batches: await measureBatches(context) }),
    { ports: { payments } },
  );
