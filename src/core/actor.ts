import { AppError } from './errors.ts';

/** Scopes that an API key can hold. Features add theirs by declaration merging. `x:write` includes `x:read`. */
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
  /** The caller's IP address, for the audit log and for limits by address. */
  ip: string | null;
}

export interface AnonymousActor {
  kind: 'anonymous';
  ip: string | null;
}

/** The service itself, as the caller of jobs and of crash recovery. */
export interface SystemActor {
  kind: 'system';
}

export type Actor = UserActor | AnonymousActor | SystemActor;

/** Returns a user without a credential, as whom the service acts within the given scopes. */
export const userActor = (userId: string, plan: Plan, scopes: readonly Scope[]): UserActor => ({
  kind: 'user',
  userId,
  plan,
  scopes,
  sessionId: null,
  apiKeyId: null,
  ip: null,
});

/** Returns whether the held scopes grant `wanted`. */
export const hasScope = (held: readonly Scope[], wanted: Scope): boolean =>
  held.includes(wanted) || (wanted.endsWith(':read') && held.includes(wanted.replace(/read$/, 'write') as Scope));

/** Returns the actor if it is a user. @throws AppError `unauthenticated` for any other caller */
export function requireUser(actor: Actor): UserActor {
  if (actor.kind !== 'user') throw new AppError('unauthenticated');
  return actor;
}

/** Returns whether the actor is the user with this id. */
export const owns = (actor: Actor, ownerId: string): boolean => actor.kind === 'user' && actor.userId === ownerId;
