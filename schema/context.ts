import type { Ctx } from '../src/core/ctx.ts';
import type { OwnLimit } from '../src/core/rate-limit-table.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What a resolver gets: the operation's Ctx and what only a request has. */
export interface GraphqlContext extends Ctx {
  userAgent: string | null;
  /** The request's `Idempotency-Key`; on messages and streams it names the message. */
  idempotencyKey: string | null;
  /** Where a reader left off, from `Last-Event-ID`; null for a first reading. */
  resumeFrom: number | null;
  /** Called once the answer has reached the client's socket whole, never when the client vanished before. */
  onDelivered(fn: () => void): void;
  /** Aborted when the client leaves, at the latest when it has its answer. */
  leftSignal(): AbortSignal;
  /** Counts one operation that has a limit of its own. @throws AppError `rate_limited` */
  countAgainst(own: OwnLimit): Promise<void>;
  loaders: Loaders;
}

type Request = Omit<GraphqlContext, keyof Ctx | 'loaders'>;

/** Completes a Ctx that was made for this request. */
export function createGraphqlContext(ctx: Ctx, request: Request): GraphqlContext {
  let loaders: Loaders | undefined;
  const get = () => (loaders ??= createLoaders(ctx));
  return Object.defineProperty(Object.assign(ctx, request), 'loaders', { get, enumerable: true }) as GraphqlContext;
}

/** The same request on another Ctx, a transaction say: its nested reads must not come from before. */
export const withFreshLoaders = (ctx: GraphqlContext): GraphqlContext => ({ ...ctx, loaders: createLoaders(ctx) });
