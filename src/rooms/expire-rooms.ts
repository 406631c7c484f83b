import type { Ctx } from '../core/ctx.ts';
import { ago, purgeInBatches } from '../core/database/purge-in-batches.ts';
import { turnStatements } from './turns/turn-statements.ts';

const keepMs = 30 * 24 * 3_600_000;

// Ids begin with the time, so the oldest rows are the first of the primary key.
const purgeTurns = {
  name: 'purge_room_turns',
  text: `
    delete from room_turns where id in (
      select id from (select id, finished_at from room_turns order by id limit $2) oldest where finished_at <= $1)
    returning 1`,
};

/** Deletes turns that ended a month ago; their messages stay. */
export const expireTurns = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purgeTurns, ago(ctx, keepMs), signal);

/** Removes checkpoints of turns that have ended, which their end should have left none of. */
export const expireTurnDeltas = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, turnStatements.purgeDeltas, ctx.clock.now(), signal);

const purgeInvitations = {
  name: 'purge_room_invitations',
  text: `
    delete from room_invitations where id in (
      select id from room_invitations where expires_at <= $1 order by expires_at limit $2)
    returning 1`,
};

/** Deletes links that expired a month ago. */
export const expireInvitations = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, purgeInvitations, ago(ctx, keepMs), signal);
