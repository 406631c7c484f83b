import { nameFrom } from '../../core/text/text-input.ts';
import { createSecretKey } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Ctx } from '../../core/ctx.ts';
import { AppError } from '../../core/errors.ts';
import type { Embed } from '../embed.entity.ts';
import type { IdentityFault } from '../embed.input.ts';
import { openEmbedSecret } from '../embed-secrets.ts';

/** A visitor's identity at the website. */
export interface Identity {
  externalId: string;
  name: string | null;
}

export type IdentityKeys = Pick<Embed, 'id' | 'test' | 'identitySecret' | 'previousSecret' | 'previousSecretExpiresAt'>;

const maxAgeSeconds = 3_600;
/** Tolerates differences between the clocks of websites and this service. */
const toleranceSeconds = 60;
const maxTokenLength = 4_096;

/** What the owner can do about a fault. Visitors see it only while the embed is in test mode. */
const faultTexts: Readonly<Record<IdentityFault, string>> = {
  missing: 'The page passed no identity token, and this embed requires one.',
  malformed: 'The identity token is not a JWT, or is longer than 4,096 characters.',
  algorithm: 'The identity token must be signed with the algorithm HS256.',
  signature: 'The identity token is not signed with the identity secret of this embed.',
  audience: 'The claim aud of the identity token must be the ID of this embed.',
  subject: 'The identity token needs a claim sub of 1 to 255 characters.',
  expiry_missing: 'The identity token needs a claim exp.',
  expiry_too_late: 'The claim exp of the identity token must be at most an hour from now.',
  expired: 'The identity token has expired: sign one when the page is loaded.',
};

/** Thrown when the identity of a visitor is refused. */
export class IdentityRefused extends AppError {
  readonly fault: IdentityFault;

  constructor(fault: IdentityFault, isTest: boolean) {
    const usual =
      fault === 'missing' ? 'Please sign in on this website first.' : 'The identity token is not valid or has expired.';
    const message = isTest ? faultTexts[fault] : usual;
    super('unauthenticated', {
      message,
      ...(isTest && { details: [{ field: 'identity_token', code: fault, message }] }),
    });
    this.fault = fault;
  }
}

/**
 * Verifies the identity that a website's server has signed for this embed: HS256 with its secret, the embed's id as
 * `aud`, a `sub`, and an `exp` of at most an hour from now.
 * @throws IdentityRefused (`unauthenticated`)
 */
export async function verifyIdentity(ctx: Ctx, embed: IdentityKeys, token: string): Promise<Identity> {
  let fault: IdentityFault = 'signature';
  for (const sealed of secretsOf(ctx, embed)) {
    const claims = await claimsOf(ctx, embed.id, openEmbedSecret(ctx.config, embed.id, sealed), token);
    if (typeof claims !== 'string') {
      const identity = identityIn(claims);
      if (identity) return identity;
      fault = 'subject';
    } else if (claims !== 'signature') fault = claims;
  }
  throw new IdentityRefused(fault, embed.test);
}

function secretsOf(
  { clock }: Ctx,
  { identitySecret, previousSecret, previousSecretExpiresAt }: IdentityKeys,
): string[] {
  const isInOverlap = previousSecretExpiresAt && previousSecretExpiresAt > clock.now();
  return [identitySecret, ...(isInOverlap && previousSecret ? [previousSecret] : [])];
}

/** Returns the claims of a token, or what is wrong with it. */
async function claimsOf(
  ctx: Ctx,
  audience: string,
  secret: string,
  token: string,
): Promise<JWTPayload | IdentityFault> {
  if (token.length > maxTokenLength) return 'malformed';
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
    return secondsLeft <= maxAgeSeconds + toleranceSeconds ? payload : 'expiry_too_late';
  } catch (error) {
    return faultOf(error);
  }
}

const faultsOfClaims: Readonly<Record<string, IdentityFault>> = {
  aud: 'audience',
  sub: 'subject',
  exp: 'expiry_missing',
};

function faultOf(error: unknown): IdentityFault {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported) return 'algorithm';
  if (error instanceof errors.JWTClaimValidationFailed) return faultsOfClaims[error.claim] ?? 'malformed';
  return 'malformed';
}

function identityIn({ sub, name }: JWTPayload): Identity | null {
  if (typeof sub !== 'string' || !/^[^\p{Cc}]{1,255}$/u.test(sub) || !sub.isWellFormed()) return null;
  return { externalId: sub, name: (typeof name === 'string' && nameFrom(name, 80)) || null };
}
