import type { Ctx } from '../core/ctx.ts';

/** How many things of which kind went. */
export type PurgeCounts = Record<string, number>;

/**
 * One part of an account's end that deleting rows does not do: files, vectors, what other services keep. The rows are
 * still there when it runs. It may run again after a crash at any point, so what is gone already is no error.
 */
export interface PurgeStep {
  name: string;
  purge(ctx: Ctx, userId: string, signal: AbortSignal): Promise<PurgeCounts>;
}

declare module '../core/ctx.ts' {
  interface Ports {
    /** In the order in which they run, before the rows go. Each feature has its own; app.ts lists them. */
    purgeSteps: readonly PurgeStep[];
  }
}
