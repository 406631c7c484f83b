import { type Plan, userActor } from '../core/actor.ts';
import { type Ctx, withActor } from '../core/ctx.ts';

/** Returns a Ctx of the embed's owner with only the scopes that a conversation needs. */
export const asOwner = (ctx: Ctx, userId: string, plan: Plan): Ctx =>
  withActor(ctx, userActor(userId, plan, ['agents:read', 'conversations:write']));
