import type { Ctx } from './ctx.ts';

declare module './ctx.ts' {
  interface Ports {
    /** A Ctx of the service itself for work that outlives the request which caused it. */
    background(): Ctx;
  }
}
