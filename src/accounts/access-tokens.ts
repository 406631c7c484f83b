import { createSecretKey, type webcrypto } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../core/clock.ts';
import type { NamedKey } from '../core/crypto.ts';

export const accessTokenSeconds = 3_600;

const algorithm = 'HS256';
const issuer = 'agent-chat-service';
const audience = 'access';
const maxRemembered = 10_000;

interface AccessTokenClaims {
  userId: string;
  sessionId: string;
  /** Unix seconds. */
  expiresAt: number;
}

/** A signed JWT (HS256, `kid` of the newest key) for one session, valid for `accessTokenSeconds`. */
export function signAccessToken(
  keys: readonly NamedKey[],
  clock: Clock,
  userId: string,
  sessionId: string,
): Promise<string> {
  const key = keys[0];
  if (!key) throw new Error('no signing key is configured');
  const issuedAt = Math.floor(clock.now().getTime() / 1000);
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: algorithm, kid: key.id, typ: 'at+jwt' })
    .setSubject(userId)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + accessTokenSeconds)
    .sign(secretKey(key));
}

// A token's signature does not change, so it is checked once; the session behind it is looked up on every request.
// What one list of keys has verified says nothing about another list.
const verifiedBy = new WeakMap<readonly NamedKey[], Map<string, AccessTokenClaims>>();

/** The claims of a token that one of the keys signed and that is still valid; `null` for anything else. */
export async function verifyAccessToken(
  keys: readonly NamedKey[],
  clock: Clock,
  token: string,
): Promise<AccessTokenClaims | null> {
  const verified = verifiedBy.get(keys) ?? new Map<string, AccessTokenClaims>();
  verifiedBy.set(keys, verified);
  const claims = verified.get(token) ?? (await checkSignature(keys, token));
  if (!claims || claims.expiresAt * 1000 <= clock.now().getTime()) {
    verified.delete(token);
    return null;
  }
  remember(verified, token, claims);
  return claims;
}

async function checkSignature(keys: readonly NamedKey[], token: string): Promise<AccessTokenClaims | null> {
  // The decoder of `jose` takes padding and stray bits at the end as well: one token, one spelling (RFC 7515, section 2).
  if (!token.split('.').every(isBase64url)) return null;
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => secretKey(keys.find((key) => key.id === kid)), {
      algorithms: [algorithm],
      issuer,
      audience,
      typ: 'at+jwt',
      requiredClaims: ['sub', 'sid', 'exp'],
      // Expiry is judged by our own clock.
      currentDate: new Date(0),
    });
    return { userId: String(payload.sub), sessionId: String(payload['sid']), expiresAt: Number(payload.exp) };
  } catch {
    return null;
  }
}

const isBase64url = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part;

function remember(verified: Map<string, AccessTokenClaims>, token: string, claims: AccessTokenClaims): void {
  if (verified.has(token)) return;
  if (verified.size >= maxRemembered) verified.delete(verified.keys().next().value ?? '');
  verified.set(token, claims);
}

const imported = new WeakMap<NamedKey, webcrypto.CryptoKey>();

/** Imported once: of anything else `jose` makes one for every token. */
function secretKey(key: NamedKey | undefined): webcrypto.CryptoKey {
  if (!key) throw new Error('unknown signing key');
  const known = imported.get(key);
  if (known) return known;
  const own = createSecretKey(key.secret).toCryptoKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  imported.set(key, own);
  return own;
}
