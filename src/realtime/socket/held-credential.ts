import type { UserActor } from '../../core/actor.ts';
import { watchCredential } from '../../api-keys/watch-credential.ts';
import type { Ctx } from '../../core/ctx.ts';

/**
 * The credential of a connection. It can be replaced while the connection is open, and is monitored until it closes.
 */
export interface HeldCredential {
  /** The Ctx for everything that the connection opens from now on. */
  readonly ctx: Ctx;
  replace(actor: UserActor, token: string): void;
  /** Returns whether an access token has expired, by the service's clock. */
  isExpired(now: Date): boolean;
  release(): void;
}

/** Starts to monitor a credential. Calls `onLost` when it is revoked or has expired. */
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

/** Returns the expiry of a verified access token. The expiry of an API key is in the database. */
function expiryOf(token: string): number {
  const payload = token.split('.')[1];
  if (payload === undefined) return Infinity;
  const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp?: number };
  return exp === undefined ? Infinity : exp * 1_000;
}
