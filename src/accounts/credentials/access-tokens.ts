import { createSecretKey, type webcrypto } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../core/clock.ts';
import type { NamedKey } from '../../core/crypto.ts';

export const accessTokenSeconds = 3_600;

const algorithm = 'HS256';
const issuer = 'agent-chat-service';
const audience = 'access';
const maxRemembered = 10_000;

interface AccessTokenClaims {
  userId: string;
  sessionId: string;
  /** Expiry in Unix seconds. */
  expiresAt: number;
}

/**
 * Signs a JWT (HS256, `kid` of the newest key) for one session. It is valid for `accessTokenSeconds` from `issuedAt`.
 */
export function signAccessToken(
  keys: readonly NamedKey[],
  { userId, sessionId, issuedAt }: Pick<AccessTokenClaims, 'userId' | 'sessionId'> & { issuedAt: Date },
): Promise<string> {
  const key = keys[0];
  if (!key) throw new Error('no signing key is configured');
  const issuedAtSeconds = Math.floor(issuedAt.getTime() / 1000);
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: algorithm, kid: key.id, typ: 'at+jwt' })
    .setSubject(userId)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAtSeconds)
    .setExpirationTime(issuedAtSeconds + accessTokenSeconds)
    .sign(secretKey(key));
}

// The validity of a signature never changes, so each token is verified only once; the session is looked up on every
// request. Each list of keys has its own cache. Null marks an expired token.
const verifiedBy = new WeakMap<readonly NamedKey[], Map<string, AccessTokenClaims | null>>();

/**
 * Returns the claims of a token that one of the keys has signed and that is still valid; null for anything else. An
 * expired token stays rejected, even if the clock is set back.
 */
export async function verifyAccessToken(
  keys: readonly NamedKey[],
  clock: Clock,
  token: string,
): Promise<AccessTokenClaims | null> {
  const verified = cacheOf(keys);
  const known = verified.get(token);
  const claims = known === undefined ? await checkSignature(keys, token) : known;
  if (!claims) return null;
  const isExpired = claims.expiresAt * 1000 <= clock.now().getTime();
  if (isExpired || known === undefined) remember(verified, token, isExpired ? null : claims);
  return isExpired ? null : claims;
}

function cacheOf(keys: readonly NamedKey[]): Map<string, AccessTokenClaims | null> {
  const verified = verifiedBy.get(keys) ?? new Map<string, AccessTokenClaims | null>();
  verifiedBy.set(keys, verified);
  return verified;
}

async function checkSignature(keys: readonly NamedKey[], token: string): Promise<AccessTokenClaims | null> {
  // `jose` also accepts padding and stray trailing bits, but a token must have exactly one encoding (RFC 7515, section
  // 2).
  if (!token.split('.').every(isBase64url)) return null;
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => secretKey(keys.find((key) => key.id === kid)), {
      algorithms: [algorithm],
      issuer,
      audience,
      typ: 'at+jwt',
      requiredClaims: ['sub', 'sid', 'exp'],
      // Disables the expiry check of `jose`, because expiry uses the service's clock.
      currentDate: new Date(0),
    });
    return { userId: String(payload.sub), sessionId: String(payload['sid']), expiresAt: Number(payload.exp) };
  } catch {
    return null;
  }
}

const isBase64url = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part;

function remember(
  verified: Map<string, AccessTokenClaims | null>,
  token: string,
  claims: AccessTokenClaims | null,
): void {
  if (verified.size >= maxRemembered) verified.delete(verified.keys().next().value ?? '');
  verified.set(token, claims);
}

const imported = new WeakMap<NamedKey, webcrypto.CryptoKey>();

/** Imports a key once: `jose` would import any other form again for every token. */
function secretKey(key: NamedKey | undefined): webcrypto.CryptoKey {
  if (!key) throw new Error('unknown signing key');
  const known = imported.get(key);
  if (known) return known;
  const own = createSecretKey(key.secret).toCryptoKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  imported.set(key, own);
  return own;
}
