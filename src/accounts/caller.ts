import { requireUser } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';

/** Returns the user id of the authenticated caller. @throws AppError `unauthenticated` */
export const callerId = (ctx: Pick<Ctx, 'actor'>): string => requireUser(ctx.actor).userId;
