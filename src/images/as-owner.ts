import { type Plan, userActor } from '../core/actor.ts';
import { type Ctx, withActor } from '../core/ctx.ts';

/** Returns the owner's Ctx with only the scopes for showing or hiding an image. */
export const asOwner = (tx: Ctx, userId: string, plan: Plan): Ctx =>
  withActor(tx, userActor(userId, plan, ['agents:write', 'account:write']));
