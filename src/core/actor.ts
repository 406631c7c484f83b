import { AppError } from './errors.ts';

/** The scopes that an API key can hold; features merge theirs in. `x:write` includes `x:read`. */
export interface Scopes {}

export type Scope = keyof Scopes;

export type Plan = 'free' | 'plus' | 'pro' | 'creator';

/** A user with a valid credential: an access token (`sessionId`) or an API key (`apiKeyId`). */
export interface UserActor {
  kind: 'user';
  userId: string;
  plan: Plan;
  scopes: readonly Scope[];
  sessionId: string | null;
  apiKeyId: string | null;
  /** Address of the caller, for the audit log and per-address limits. */
  ip: string | null;
}

export interface AnonymousActor {
  kind: 'anonymous';
  ip: string | null;
}

/** The service itself: jobs and recovery. */
export interface SystemActor {
  kind: 'system';
}

export type Actor = UserActor | AnonymousActor | SystemActor;

/** Whether the held scopes grant the wanted one. */
export const hasScope = (held: readonly Scope[], wanted: Scope): boolean =>
  held.includes(wanted) || (wanted.endsWith(':read') && held.includes(wanted.replace(/read$/, 'write') as Scope));

/** @throws AppError `unauthenticated` for an anonymous caller */
export function requireUser(actor: Actor): UserActor {
  if (actor.kind !== 'user') throw new AppError('unauthenticated');
  return actor;
}
