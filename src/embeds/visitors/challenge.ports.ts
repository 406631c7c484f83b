/** Distinguishes people from bots. */
export interface HumanCheck {
  /**
   * Returns whether the token proves that the challenge of the site with this secret was solved recently. Each token is
   * valid once.
   */
  verify(attempt: { secret: string; token: string; address: string | null }): Promise<boolean>;
}

declare module '../../core/ctx.ts' {
  interface Ports {
    humanCheck: HumanCheck;
  }
}
