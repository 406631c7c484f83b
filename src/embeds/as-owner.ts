import type { Plan, UserActor } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';

/** Returns a Ctx of the embed's owner with only the scopes that a conversation needs. */
export function asOwner(ctx: Ctx, userId: string, plan: Plan): Ctx {
  const actor: UserActor = {
    kind: 'user',
    userId,
    plan,
    scopes: ['agents:read', 'conversations:write'],
    sessionId: null,
    apiKeyId: null,
    ip: null,
  };
  return Object.defineProperties({} as Ctx, {
    ...Object.getOwnPropertyDescriptors(ctx),
    actor: { value: actor, enumerable: true },
  });
}
