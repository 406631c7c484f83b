import { rowExpiry } from '../core/database/purge-in-batches.ts';
import { turnStatements } from './turns/turn-statements.ts';

const keepMs = 30 * 24 * 3_600_000;

/**
 * Removes turns a month after their end; their messages remain. Ids begin with the time, so the oldest rows are the
 * first of the primary key.
 */
export const turnExpiry = rowExpiry({
  name: 'roomTurns',
  keepMs,
  statement: {
    name: 'purge_room_turns',
    text: `
      delete from room_turns where id in (
        select id from (select id, finished_at from room_turns order by id limit $2) oldest where finished_at <= $1)
      returning 1`,
  },
});

/** Removes checkpoints that a crash left behind. The end of a turn removes its own. */
export const turnDeltaExpiry = rowExpiry({
  name: 'roomTurnDeltas',
  keepMs: 0,
  statement: turnStatements.purgeDeltas,
});

/** Removes links a month after they expire. */
export const invitationExpiry = rowExpiry({
  name: 'roomInvitations',
  keepMs,
  statement: {
    name: 'purge_room_invitations',
    text: `
      delete from room_invitations where id in (
        select id from room_invitations where expires_at <= $1 order by expires_at limit $2)
      returning 1`,
  },
});
