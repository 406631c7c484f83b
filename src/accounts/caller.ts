import { requireUser } from '../core/actor.ts';
import type { Ctx } from '../core/ctx.ts';

/** The user id of the authenticated caller. @throws AppError `unauthenticated` */
export const callerId = (ctx: Ctx): string => requireUser(ctx.actor).userId;
