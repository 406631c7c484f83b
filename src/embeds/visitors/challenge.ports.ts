/** Tells people from programs. */
export interface HumanCheck {
  /** Whether the token was given to a person who solved the challenge of the site with this secret, once and lately. */
  verify(attempt: { secret: string; token: string; address: string | null }): Promise<boolean>;
}

declare module '../../core/ctx.ts' {
  interface Ports {
    humanCheck: HumanCheck;
  }
}
