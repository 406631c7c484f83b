import { AppError } from '../core/errors.ts';
import type { RoomRole } from './room.input.ts';

/** Returns whether the role may act on members, messages, turns and agents of others. */
export const moderates = (role: RoomRole): boolean => role !== 'member';

/** Returns whether someone with the role `actor` may change the membership of someone with the role `target`. */
export const canManage = (actor: RoomRole, target: RoomRole): boolean =>
  target !== 'owner' && (actor === 'owner' || (actor === 'moderator' && target === 'member'));

/**
 * Requires that a check of the role passed.
 * @throws AppError `forbidden`
 */
export function requireRole(isAllowed: boolean): void {
  if (!isAllowed) throw new AppError('forbidden');
}
