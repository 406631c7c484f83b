import type { FastifyReply, FastifyRequest } from 'fastify';
import { createGraphqlContext, type GraphqlContext } from '../../schema/context.ts';
import type { Actor } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import type { RateLimits } from '../core/http/rate-limits.ts';
import { countFields } from './rate-limit.ts';

/** Creates the GraphQL context of a request whose `actor` is known. */
export const requestContext =
  (newCtx: (actor: Actor, requestId: string) => Ctx, rateLimits: RateLimits) =>
  (request: FastifyRequest, reply: FastifyReply): GraphqlContext => {
    const ctx = newCtx(request.actor, request.id);
    let isExisting = false;
    return createGraphqlContext(ctx, {
      userAgent: request.headers['user-agent'] ?? null,
      idempotencyKey: singleHeader(request.headers['idempotency-key']),
      lastEventId: singleHeader(request.headers['last-event-id']),
      markReplayed: () => void reply.header('idempotency-replayed', 'true'),
      markExisting: () => void (isExisting = true),
      isExisting: () => isExisting,
      onDelivered: (fn) => reply.raw.once('finish', fn),
      leftSignal: () => {
        const left = new AbortController();
        reply.raw.once('close', () => left.abort());
        return left.signal;
      },
      countFields: (fields) => countFields(rateLimits, ctx.config.rateLimits, reply, request.actor, fields),
    });
  };

const singleHeader = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' ? header : null;
