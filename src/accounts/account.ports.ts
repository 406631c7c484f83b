import type { Ctx } from '../core/ctx.ts';

/**
 * Runs in the transaction that changes a name, a picture or a text of an account that others see. Throws to reject the
 * change.
 */
export type ProfileChangeStep = (tx: Ctx) => Promise<void>;

declare module '../core/feature.ts' {
  interface Feature {
    beforeProfileChange?: readonly ProfileChangeStep[];
  }
}
