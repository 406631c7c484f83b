import type { Plan, UserActor } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';

/** Returns the owner's Ctx with only the scopes for showing or hiding an image. */
export function asOwner(tx: Ctx, userId: string, plan: Plan): Ctx {
  const actor: UserActor = {
    kind: 'user',
    userId,
    plan,
    scopes: ['agents:write', 'account:write'],
    sessionId: null,
    apiKeyId: null,
    ip: null,
  };
  return Object.defineProperties({} as Ctx, {
    ...Object.getOwnPropertyDescriptors(tx),
    actor: { value: actor, enumerable: true },
  });
}
