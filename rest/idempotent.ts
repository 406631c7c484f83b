import type { FastifyRequest } from 'fastify';
import { type GraphqlContext, withFreshLoaders } from '../schema/context.ts';
import { AppError, type ErrorCode } from '../src/core/errors.ts';
import { answerOnce, type KeyedAnswer } from '../src/core/idempotency.ts';
import { answerTo } from './errors.ts';
import type { Route } from './routes.ts';

/** The key of a request whose answer is to be stored, or null: another method, no key, nobody in particular. */
export function storedUnder(route: Route, request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  const applies = route.method === 'POST' && route.idempotency !== 'message' && request.actor.kind === 'user';
  return applies && typeof key === 'string' ? key : null;
}

/** Runs an operation once for its key and answers the first answer from then on. */
export const answerKeyed = (
  route: Route,
  request: FastifyRequest,
  key: string,
  context: GraphqlContext,
  run: (context: GraphqlContext) => Promise<string>,
  /** Anything that tells one body from another. */
  body: unknown = request.body,
): Promise<KeyedAnswer & { replayed: boolean }> =>
  answerOnce(
    context,
    { key, method: request.method, path: request.url.split('?', 1)[0] ?? '', body },
    {
      atomic: route.idempotency !== 'remote',
      run: async (ctx) => ({ status: route.status, body: await run(withFreshLoaders(ctx)) }),
      finalAnswer,
    },
  );

/** Outcomes that another try would not change. Faults of the input, the credential, the limits and of ours are not. */
const finalCodes = new Set<ErrorCode>([
  'not_found',
  'conflict',
  'email_taken',
  'username_taken',
  'no_active_subscription',
  'subscription_exists',
]);

function finalAnswer(error: unknown): KeyedAnswer | null {
  const thrown = (error as { originalError?: unknown }).originalError ?? error;
  if (!(thrown instanceof AppError) || !finalCodes.has(thrown.code)) return null;
  const { status, body } = answerTo(thrown);
  return { status, body: JSON.stringify(body) };
}
