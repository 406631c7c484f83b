import type { Ctx } from '../src/core/ctx.ts';
import type { OwnLimit } from '../src/core/http/rate-limit-table.ts';
import { AnswerBudget } from './answer-budget.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** The context of a resolver: the operation's Ctx and what belongs to the request. */
export interface GraphqlContext extends Ctx {
  userAgent: string | null;
  /** The request's `Idempotency-Key`; on messages and streams it names the message. */
  idempotencyKey: string | null;
  /** `Last-Event-ID`: the last event that a reader of a stream has. */
  lastEventId: string | null;
  /** Marks the response as a replay of an earlier one (`Idempotency-Replayed`). */
  markReplayed(): void;
  /** Marks the response as that of something which existed before: 200 instead of 201. */
  markExisting(): void;
  /** Whether it was marked so. */
  isExisting(): boolean;
  /** Calls `fn` once the whole response was written to the client's socket; never if the client disconnected before. */
  onDelivered(fn: () => void): void;
  /** A signal that is aborted when the client disconnects, at the latest after its response. */
  leftSignal(): AbortSignal;
  /**
   * Counts the root fields of a GraphQL operation like the REST requests that they correspond to; undefined is the general
   * limit. @throws AppError `rate_limited`
   */
  countFields(limits: readonly (OwnLimit | undefined)[]): Promise<void>;
  loaders: Loaders;
  /** Bounds the size of a GraphQL response. */
  budget: AnswerBudget;
}

type Request = Omit<GraphqlContext, keyof Ctx | 'loaders' | 'budget'>;

/** Completes the Ctx of a request. */
export function createGraphqlContext(ctx: Ctx, request: Request): GraphqlContext {
  let loaders: Loaders | undefined;
  const budget = new AnswerBudget();
  const get = () => (loaders ??= createLoaders(ctx, budget));
  const context = Object.assign(ctx, request, { budget });
  return Object.defineProperty(context, 'loaders', { get, enumerable: true }) as GraphqlContext;
}

/** The same request on another Ctx, such as a transaction, whose nested reads must not come from an earlier cache. */
export const withFreshLoaders = (ctx: GraphqlContext): GraphqlContext => ({
  ...ctx,
  loaders: createLoaders(ctx, ctx.budget),
});

/** The same request for work that continues when the client disconnects. */
export const withoutLeaving = (ctx: GraphqlContext): GraphqlContext => ({
  ...ctx,
  leftSignal: () => new AbortController().signal,
});
