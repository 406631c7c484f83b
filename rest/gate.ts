import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize } from '../schema/access.ts';
import type { Access } from '../schema/decorators.ts';
import type { Actor } from '../src/core/actor.ts';
import { AppError } from '../src/core/errors.ts';
import type { OwnLimit } from '../src/core/http/rate-limit-table.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set before the body is read. */
    actor: Actor;
  }
}

/** Identifies callers and counts their requests. */
export interface Gate {
  /** The holder of the request's credential; anonymous without one. @throws AppError `unauthenticated` for an invalid one */
  identify: (request: FastifyRequest) => Promise<Actor>;
  /** Counts the request against its own limit or the general one and sets the headers. @throws AppError `rate_limited` */
  admit: (request: FastifyRequest, reply: FastifyReply, actor: Actor, own?: OwnLimit) => Promise<void>;
  /** User ids of the moderators. */
  moderators?: readonly string[];
}

/**
 * Checks credential, rate limit and scope, in this order. With `access` null no operation follows: the request is only
 * counted, because 404 and 405 take precedence over every refusal.
 */
export async function enter(
  gate: Gate,
  access: Access | null,
  request: FastifyRequest,
  reply: FastifyReply,
  own?: OwnLimit,
): Promise<void> {
  reply.header('cache-control', 'no-store');
  const [actor, refusal] = await identified(gate, request);
  request.actor = actor;
  const denied = access === null || access === 'public' ? null : (refusal ?? denial(actor));
  try {
    await gate.admit(request, reply, actor, own);
  } catch (limited) {
    // 404, 405 and 401 take precedence over 429, but the request is counted.
    if (access !== null && denied === null) throw limited;
  }
  if (denied !== null) throw denied;
  if (access !== null) authorize(access, actor, gate.moderators);
}

/** An invalid credential makes an anonymous caller; its refusal is thrown only where a credential is needed. */
async function identified(gate: Gate, request: FastifyRequest): Promise<[Actor, AppError | null]> {
  try {
    return [await gate.identify(request), null];
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return [{ kind: 'anonymous', ip: request.ip }, error];
    throw error;
  }
}

const denial = (actor: Actor): AppError | null => (actor.kind === 'anonymous' ? new AppError('unauthenticated') : null);
