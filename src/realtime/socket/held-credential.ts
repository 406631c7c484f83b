import type { UserActor } from '../../core/actor.ts';
import { watchCredential } from '../../api-keys/watch-credential.ts';
import type { Ctx } from '../../core/ctx.ts';

/** The credential that a connection holds: replaced without a gap, and watched while the connection lasts. */
export interface HeldCredential {
  /** The Ctx of what the connection opens from now on. */
  readonly ctx: Ctx;
  replace(actor: UserActor, token: string): void;
  /** Whether an access token has expired, by the service's clock. */
  isExpired(now: Date): boolean;
  release(): void;
}

/** Calls `onLost` when the credential was revoked or has expired. */
export function holdCredential(
  newCtx: (actor: UserActor) => Ctx,
  actor: UserActor,
  token: string,
  onLost: () => void,
): HeldCredential {
  let ctx = newCtx(actor);
  let expiresAtMs = expiryOf(token);
  let stopWatching = watchCredential(ctx, onLost);
  return {
    get ctx() {
      return ctx;
    },
    replace(next, nextToken) {
      stopWatching();
      ctx = newCtx(next);
      expiresAtMs = expiryOf(nextToken);
      stopWatching = watchCredential(ctx, onLost);
    },
    isExpired: (now) => now.getTime() >= expiresAtMs,
    release: () => stopWatching(),
  };
}

/** When an access token that was verified expires. The database knows when an API key does. */
function expiryOf(token: string): number {
  const payload = token.split('.')[1];
  if (payload === undefined) return Infinity;
  const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp?: number };
  return exp === undefined ? Infinity : exp * 1_000;
}
