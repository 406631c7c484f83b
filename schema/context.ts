import type { Ctx } from '../src/core/ctx.ts';
import type { OwnLimit } from '../src/core/http/rate-limit-table.ts';
import { AnswerBudget } from './answer-budget.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** The context of a resolver: the operation's Ctx and the data of the request. */
export interface GraphqlContext extends Ctx {
  userAgent: string | null;
  /** Value of the `Idempotency-Key` header. When a message is sent, it identifies the message. */
  idempotencyKey: string | null;
  /** Value of the `Last-Event-ID` header: the last event that the reader of a stream received. */
  lastEventId: string | null;
  /** Marks the response as a replay of an earlier one (`Idempotency-Replayed`). */
  markReplayed(): void;
  /** Marks the result as existing before the request, so that REST responds with 200 instead of 201. */
  markExisting(): void;
  /** Returns whether `markExisting` was called. */
  isExisting(): boolean;
  /**
   * Calls `fn` after the whole response is written to the client's socket. Never calls it if the client disconnects
   * before.
   */
  onDelivered(fn: () => void): void;
  /** Returns a signal that is aborted when the client disconnects, or after the response at the latest. */
  leftSignal(): AbortSignal;
  /**
   * Counts the root fields of a GraphQL operation like the corresponding REST requests. `undefined` stands for the
   * general limit.
   * @throws AppError `rate_limited`
   */
  countFields(limits: readonly (OwnLimit | undefined)[]): Promise<void>;
  loaders: Loaders;
  /** Limits the size of a GraphQL response. */
  budget: AnswerBudget;
}

type Request = Omit<GraphqlContext, keyof Ctx | 'loaders' | 'budget'>;

/** Adds the request's data and loaders to its Ctx. Changes `ctx` in place. */
export function createGraphqlContext(ctx: Ctx, request: Request): GraphqlContext {
  let loaders: Loaders | undefined;
  const budget = new AnswerBudget();
  const get = () => (loaders ??= createLoaders(ctx, budget));
  const context = Object.assign(ctx, request, { budget });
  return Object.defineProperty(context, 'loaders', { get, enumerable: true }) as GraphqlContext;
}

/**
 * Returns the context with new loaders. Use it for another Ctx, such as a transaction, which must not read cached
 * values.
 */
export const withFreshLoaders = (ctx: GraphqlContext): GraphqlContext => ({
  ...ctx,
  loaders: createLoaders(ctx, ctx.budget),
});

/** Returns the context for work that continues after the client disconnects. */
export const withoutLeaving = (ctx: GraphqlContext): GraphqlContext => ({
  ...ctx,
  leftSignal: () => new AbortController().signal,
});
