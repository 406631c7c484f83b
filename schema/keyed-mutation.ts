import { HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DocumentNode, Kind, OperationTypeNode, parse } from 'graphql';
import { answerOnce } from '../src/core/http/idempotency.ts';
import { type GraphqlContext, withFreshLoaders } from './context.ts';
import { maxTokens } from './limits.ts';

/**
 * How a mutation treats an Idempotency-Key, as its REST route does: its response is stored in the transaction of the work
 * (`atomic`) or afterwards (`remote`), or the key names a message.
 */
export type KeyUse = 'atomic' | 'remote' | 'message';

interface Keyed {
  request: FastifyRequest;
  reply: FastifyReply;
  context: GraphqlContext;
  keyUseOf: (field: string) => KeyUse;
}

type Execute = (context: GraphqlContext) => Promise<HTTPGraphQLResponse>;

/** An operation that failed. It is not stored, and what it changed is rolled back. */
class FailedOperation extends Error {
  constructor(readonly response: HTTPGraphQLResponse) {
    super('The operation failed.');
  }
}

/**
 * Executes an operation; a mutation of a user with an `Idempotency-Key` once, whose response is then returned for 24 hours
 * to the same credential.
 * @throws AppError `idempotency_mismatch`, `idempotency_in_progress`
 */
export async function executeKeyed({ request, reply, context, keyUseOf }: Keyed, execute: Execute) {
  const { actor, idempotencyKey: key } = context;
  const uses = key === null || actor.kind !== 'user' ? [] : mutatedFields(request).map(keyUseOf);
  if (key === null || actor.kind !== 'user' || uses.length === 0 || uses.includes('message')) return execute(context);
  const body = [actor.sessionId, actor.apiKeyId, request.body];
  try {
    const answer = await answerOnce(
      context,
      { key, method: 'POST', path: '/graphql', body },
      {
        // A field that fails leaves the others as they are, so several have no common transaction.
        atomic: uses.length === 1 && uses[0] === 'atomic',
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

/** The root fields of the mutation that a request names; none for anything else, which Apollo reports. */
function mutatedFields({ method, body }: FastifyRequest): string[] {
  const { query, operationName } = (body ?? {}) as { query?: unknown; operationName?: unknown };
  if (method !== 'POST' || typeof query !== 'string') return [];
  const operations = (parsed(query)?.definitions ?? []).filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const operation = operations.find(({ name }) => name?.value === operationName) ?? operations[0];
  if (operation?.operation !== OperationTypeNode.MUTATION) return [];
  return operation.selectionSet.selections.flatMap((node) => (node.kind === Kind.FIELD ? [node.name.value] : []));
}

function parsed(source: string): DocumentNode | null {
  try {
    return parse(source, { maxLexicalTokens: maxTokens });
  } catch {
    return null;
  }
}
