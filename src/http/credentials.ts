import type { FastifyRequest } from 'fastify';
import { findAccessTokenActor } from '../accounts/credentials/sessions.ts';
import { findApiKeyActor } from '../api-keys/api-keys.ts';
import type { Actor, UserActor } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';
import { AppError } from '../core/errors.ts';
import { bearerToken } from '../core/http/bearer.ts';

const maxCredentialLength = 4_096;

/**
 * Returns the holder of a request's credential; an anonymous actor when there is none. Access tokens and API keys are
 * both sent as `Authorization: Bearer …`.
 * @throws AppError `unauthenticated` for an invalid, expired or revoked credential
 */
export async function identify(
  ctx: Pick<Ctx, 'sql' | 'clock' | 'config' | 'log' | 'catalog'>,
  request: FastifyRequest,
): Promise<Actor> {
  const header = request.headers.authorization;
  if (header === undefined) return { kind: 'anonymous', ip: request.ip };
  const credential = bearerToken(header);
  const actor = credential ? await findActor(ctx, credential, request.ip) : null;
  if (!actor)
    throw new AppError('unauthenticated', { message: 'The credential is not valid, has expired or was revoked.' });
  return actor;
}

/** Returns the holder of an access token or API key; null when it is invalid, expired or revoked. */
export async function findActor(
  ctx: Parameters<typeof identify>[0],
  credential: string,
  ip: string,
): Promise<UserActor | null> {
  if (credential.length > maxCredentialLength) return null;
  return credential.startsWith('ak_')
    ? findApiKeyActor(ctx, credential, ip)
    : findAccessTokenActor(ctx, credential, ip);
}
