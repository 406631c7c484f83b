import type { FastifyReply, FastifyRequest } from 'fastify';
import { type GraphqlContext, withFreshLoaders } from '../schema/context.ts';
import type { Actor } from '../src/core/actor.ts';
import { AppError, type ErrorCode } from '../src/core/errors.ts';
import { answerOnce, deleteAnswer, type KeyedAnswer } from '../src/core/http/idempotency.ts';
import { errorResponse } from './errors.ts';
import type { Route } from './routes/route.ts';

/** A response in JSON that may be one of an earlier request. */
export type OnceResponse = KeyedAnswer & { replayed: boolean };

interface Once {
  route: Route;
  request: FastifyRequest;
  context: GraphqlContext;
  /** Identifies the body; the JSON body when omitted. */
  body?: unknown;
}

/** The `Idempotency-Key` under which the response is stored, or null when it is not stored. */
export function idempotencyKeyOf(route: Route, request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  const applies = route.method === 'POST' && route.idempotency !== 'message' && request.actor.kind === 'user';
  return applies && typeof key === 'string' ? key : null;
}

/** Runs an operation, or with an `Idempotency-Key` runs it once and returns the first response from then on. */
export async function runOnce(once: Once, run: (context: GraphqlContext) => Promise<string>): Promise<OnceResponse> {
  const key = idempotencyKeyOf(once.route, once.request);
  if (key !== null) return runIdempotently(once, key, run);
  const body = await run(once.context);
  return { status: statusOf(once.route, once.context), body, replayed: false };
}

/** Runs an operation once for its key and returns its first response from then on. */
export const runIdempotently = (
  { route, request, context, body = request.body }: Once,
  key: string,
  run: (context: GraphqlContext) => Promise<string>,
): Promise<OnceResponse> =>
  answerOnce(
    context,
    { key, method: request.method, path: pathOf(request), body: boundBody(route, request.actor, body) },
    {
      atomic: route.idempotency !== 'remote',
      run: async (ctx) => {
        const text = await run(withFreshLoaders(ctx));
        return { status: statusOf(route, ctx), body: text };
      },
      finalAnswer,
    },
  );

/** The status of success: 200 for what a `POST` found instead of creating it. */
const statusOf = ({ status, existing }: Route, context: GraphqlContext): number =>
  existing && context.isExisting() ? 200 : status;

/**
 * Binds a response with a secret to the credential of its request: for another one the key was used with another body.
 * Otherwise a narrow API key could replay the creation of a wider one.
 */
const boundBody = (route: Route, actor: Actor, body: unknown): unknown =>
  route.revealsSecret && actor.kind === 'user' ? [actor.sessionId, actor.apiKeyId, body] : body;

/** Deletes the stored response of a key, so that the next request runs the operation again. */
export const forgetAnswer = ({ context, request }: Once, key: string): Promise<void> =>
  deleteAnswer(context, { key, method: request.method, path: pathOf(request) });

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '';

/** Sends a response as JSON and marks it when it is a replay. */
export function sendResponse(reply: FastifyReply, { status, body, replayed }: OnceResponse): FastifyReply {
  if (replayed) reply.header('idempotency-replayed', 'true');
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body);
}

/** Outcomes that a retry would not change. Invalid input, credentials, limits and internal errors may change. */
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
  const { status, body } = errorResponse(thrown);
  return { status, body: JSON.stringify(body) };
}
