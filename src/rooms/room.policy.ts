import { AppError } from '../core/errors.ts';
import type { RoomRole } from './room.input.ts';

/** Whether the role acts on members, messages, turns and agents of others. */
export const moderates = (role: RoomRole): boolean => role !== 'member';

/** Whether someone with a role may change the membership of someone with another one. */
export const mayActOn = (actor: RoomRole, target: RoomRole): boolean =>
  target !== 'owner' && (actor === 'owner' || (actor === 'moderator' && target === 'member'));

/** @throws AppError `forbidden` */
export function requireRole(isAllowed: boolean): void {
  if (!isAllowed) throw new AppError('forbidden');
}
