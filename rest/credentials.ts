import type { FastifyRequest } from 'fastify';
import { findAccessTokenActor } from '../src/accounts/sessions.ts';
import { findApiKeyActor } from '../src/api-keys/api-keys.ts';
import type { Actor } from '../src/core/actor.ts';
import type { Ctx } from '../src/core/ctx.ts';
import { AppError } from '../src/core/errors.ts';

const maxCredentialLength = 4_096;

/**
 * Who holds the credential of a request, as of this moment; anonymous without one. An access token and an API key come
 * the same way: `Authorization: Bearer …`. @throws AppError `unauthenticated` for one that does not hold
 */
export async function identify(
  ctx: Pick<Ctx, 'sql' | 'clock' | 'config' | 'log'>,
  request: FastifyRequest,
): Promise<Actor> {
  const header = request.headers.authorization;
  if (header === undefined) return { kind: 'anonymous', ip: request.ip };
  const credential = /^Bearer ([\x21-\x7e]+)$/i.exec(header)?.[1];
  const actor = credential && credential.length <= maxCredentialLength ? await find(ctx, credential, request.ip) : null;
  if (!actor)
    throw new AppError('unauthenticated', { message: 'The credential is not valid, has expired or was revoked.' });
  return actor;
}

const find = (ctx: Parameters<typeof identify>[0], credential: string, ip: string): Promise<Actor | null> =>
  credential.startsWith('ak_') ? findApiKeyActor(ctx, credential, ip) : findAccessTokenActor(ctx, credential, ip);
