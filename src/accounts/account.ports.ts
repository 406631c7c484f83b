import type { Ctx } from '../core/ctx.ts';

/**
 * Runs in the transaction that changes a name, a picture or a text of an account that others see. Throws to reject the
 * change.
 */
export type ProfileChangeStep = (tx: Ctx) => Promise<void>;

/** Runs in the transaction that changes a user's e-mail address, after the change. */
export type EmailChangedStep = (tx: Ctx, userId: string) => Promise<unknown>;

declare module '../core/feature.ts' {
  interface Feature {
    beforeProfileChange?: readonly ProfileChangeStep[];
    onEmailChanged?: readonly EmailChangedStep[];
  }
}
