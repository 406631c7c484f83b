import { AppError } from './errors.ts';

/** Every scope that an API key can hold. `x:write` includes `x:read`. */
export const scopes = [
  'agents:read',
  'agents:write',
  'conversations:read',
  'conversations:write',
  'knowledge:read',
  'knowledge:write',
  'integrations:read',
  'integrations:write',
  'webhooks:read',
  'webhooks:write',
  'billing:read',
  'billing:write',
  'account:read',
  'account:write',
  'voice:use',
] as const;

export type Scope = (typeof scopes)[number];

export type Plan = 'free' | 'plus' | 'pro' | 'creator';

/** Somebody with a valid credential: an access token (`sessionId`) or an API key (`apiKeyId`). */
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

/** @throws AppError `unauthenticated` when it is nobody in particular */
export function requireUser(actor: Actor): UserActor {
  if (actor.kind !== 'user') throw new AppError('unauthenticated');
  return actor;
}
