import type { Ctx } from '../../core/ctx.ts';
import { purgeInBatches } from '../../core/database/purge-in-batches.ts';
import type { Sql } from '../../core/database/sql.ts';
import { generationStatements } from './generation-statements.ts';

/**
 * Removes checkpoints of generations that have ended. Normally there are none, because the end of a generation removes
 * them.
 */
export const purgeCheckpoints = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, generationStatements.purgeDeltas, ctx.clock.now(), signal);

/** Returns the number of ended generations that still have checkpoints. */
export const countLeftCheckpoints = async (sql: Sql): Promise<number> =>
  (await sql<{ count: number }>(generationStatements.countLeftDeltas))[0]?.count ?? 0;
