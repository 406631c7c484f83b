import type { Ctx } from '../core/ctx.ts';

/** Runs in the transaction that gives an account a name, a picture or a text that others see; throws to refuse the change. */
export type ProfileChangeStep = (tx: Ctx) => Promise<void>;

declare module '../core/feature.ts' {
  interface Feature {
    beforeProfileChange?: readonly ProfileChangeStep[];
  }
}
