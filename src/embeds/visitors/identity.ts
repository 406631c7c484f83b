import { nameFrom } from '../../core/text/text-input.ts';
import { createSecretKey } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import type { Embed } from '../embed.entity.ts';
import { openEmbedSecret } from '../embed-secrets.ts';

/** A visitor's identity at the website. */
export interface Identity {
  externalId: string;
  name: string | null;
}

export type IdentityKeys = Pick<Embed, 'id' | 'identitySecret' | 'previousSecret' | 'previousSecretExpiresAt'>;

const maxAgeSeconds = 3_600;
/** Tolerates differences between the clocks of websites and this service. */
const toleranceSeconds = 60;
const maxTokenLength = 4_096;

/**
 * Verifies the identity that a website's server has signed for this embed: HS256 with its secret, the embed's id as
 * `aud`, a `sub`, and an `exp` of at most an hour from now.
 * @throws AppError `unauthenticated`
 */
export async function verifyIdentity(ctx: Ctx, embed: IdentityKeys, token: string): Promise<Identity> {
  for (const sealed of secretsOf(ctx, embed)) {
    const claims = await claimsOf(ctx, embed.id, openEmbedSecret(ctx.config, embed.id, sealed), token);
    const identity = claims && identityIn(claims);
    if (identity) return identity;
  }
  throw new AppError('unauthenticated', { message: 'The identity token is not valid or has expired.' });
}

function secretsOf(
  { clock }: Ctx,
  { identitySecret, previousSecret, previousSecretExpiresAt }: IdentityKeys,
): string[] {
  const isInOverlap = previousSecretExpiresAt && previousSecretExpiresAt > clock.now();
  return [identitySecret, ...(isInOverlap && previousSecret ? [previousSecret] : [])];
}

async function claimsOf(ctx: Ctx, audience: string, secret: string, token: string): Promise<JWTPayload | null> {
  if (token.length > maxTokenLength) return null;
  const now = ctx.clock.now();
  try {
    const { payload } = await jwtVerify(token, createSecretKey(Buffer.from(secret)), {
      algorithms: ['HS256'],
      audience,
      currentDate: now,
      clockTolerance: toleranceSeconds,
      requiredClaims: ['sub', 'exp'],
    });
    const secondsLeft = (payload.exp ?? Infinity) - now.getTime() / 1_000;
    return secondsLeft <= maxAgeSeconds + toleranceSeconds ? payload : null;
  } catch {
    return null;
  }
}

function identityIn({ sub, name }: JWTPayload): Identity | null {
  if (typeof sub !== 'string' || !/^[^\p{Cc}]{1,255}$/u.test(sub) || !sub.isWellFormed()) return null;
  return { externalId: sub, name: (typeof name === 'string' && nameFrom(name, 80)) || null };
}
