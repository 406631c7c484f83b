import { HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DocumentNode, Kind, OperationTypeNode, parse } from 'graphql';
import { AppError } from '../src/core/errors.ts';
import { answerOnce } from '../src/core/http/idempotency.ts';
import { type GraphqlContext, withFreshLoaders } from './context.ts';
import { maxTokens } from './limits.ts';

/**
 * The way a mutation treats an `Idempotency-Key`, like its REST route: the response is stored in the transaction of the
 * work (`atomic`) or afterwards (`remote`), or the key identifies a message (`message`).
 */
export type KeyUse = 'atomic' | 'remote' | 'message';

interface Keyed {
  request: FastifyRequest;
  reply: FastifyReply;
  context: GraphqlContext;
  keyUseOf: (field: string) => KeyUse;
}

type Execute = (context: GraphqlContext) => Promise<HTTPGraphQLResponse>;

/** The failure of an operation. Thrown so that its changes are rolled back and its response is not stored. */
class FailedOperation extends Error {
  constructor(readonly response: HTTPGraphQLResponse) {
    super('The operation failed.');
  }
}

/**
 * Executes an operation. A user's mutation with an `Idempotency-Key` runs once; for 24 hours, the same credential gets
 * the stored response. Responses with errors are not stored.
 * @throws AppError `invalid_request` for several fields, `idempotency_mismatch`, `idempotency_in_progress`
 */
export async function executeKeyed({ request, reply, context, keyUseOf }: Keyed, execute: Execute) {
  const { actor, idempotencyKey: key } = context;
  if (key === null || actor.kind !== 'user') return execute(context);
  const field = mutatedField(request);
  const use = field === null ? null : keyUseOf(field);
  if (use === null || use === 'message') return execute(context);
  const body = [actor.sessionId, actor.apiKeyId, request.body];
  try {
    const answer = await answerOnce(
      context,
      { key, method: 'POST', path: '/graphql', body },
      {
        atomic: use === 'atomic',
        run: async (ctx) => storable(await execute(withFreshLoaders(ctx))),
        finalAnswer: () => null,
      },
    );
    if (answer.replayed) reply.header('idempotency-replayed', 'true');
    const headers = new HeaderMap([['content-type', 'application/json; charset=utf-8']]);
    return { status: answer.status, headers, body: { kind: 'complete' as const, string: answer.body } };
  } catch (error) {
    if (error instanceof FailedOperation) return error.response;
    throw error;
  }
}

function storable(response: HTTPGraphQLResponse): { status: number; body: string } {
  const text = response.body.kind === 'complete' ? response.body.string : '';
  const { errors } = JSON.parse(text) as { errors?: unknown };
  if (errors !== undefined) throw new FailedOperation(response);
  return { status: response.status ?? 200, body: text };
}

/**
 * Returns the name of the root field of a request's mutation; null for any other request, including a malformed one.
 * @throws AppError `invalid_request` for several fields: those that succeed keep their changes when another one fails,
 * so that a repeated request would make them again
 */
function mutatedField({ method, body }: FastifyRequest): string | null {
  const { query, operationName } = (body ?? {}) as { query?: unknown; operationName?: unknown };
  if (method !== 'POST' || typeof query !== 'string') return null;
  const operations = (parsed(query)?.definitions ?? []).filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const operation = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
  if (operation?.operation !== OperationTypeNode.MUTATION) return null;
  const [field, ...others] = operation.selectionSet.selections;
  if (field?.kind === Kind.FIELD && others.length === 0) return field.name.value;
  const message = 'A mutation with an `Idempotency-Key` must have exactly one root field, and no fragment around it.';
  throw new AppError('invalid_request', { message });
}

function parsed(source: string): DocumentNode | null {
  try {
    return parse(source, { maxLexicalTokens: maxTokens });
  } catch {
    return null;
  }
}
