import { invalidField } from './errors.ts';

/** The position of an item in an order: the value it is sorted by, then its tiebreaker. */
export interface Cursor {
  key: string | number | Date;
  id: string;
}

/**
 * A cursor as clients hold it: opaque, but not secret. It is unsigned, because it contains only what its reader has seen,
 * and reaches only the rest of a list that the reader may read anyway.
 */
export const cursorOf = (list: string, { key, id }: Cursor): string =>
  Buffer.from(JSON.stringify([list, key instanceof Date ? { t: key.getTime() } : key, id])).toString('base64url');

/** The sort key of a list. */
export type KeyKind = 'time' | 'integer' | 'float' | 'text';

/** @throws AppError `invalid_request`, which names the field, when it is not a cursor of this list */
export function readCursor(list: string, kind: KeyKind, text: string, field = 'after'): Cursor {
  const [name, key, id, ...rest] = parts(text);
  const place = keyOf(kind, key);
  if (name !== list || place === null || typeof id !== 'string' || /\0/.test(id) || rest.length > 0) {
    throw invalidField(field, 'unknown_cursor', `${field} must be a cursor of this list, in this order`);
  }
  return { key: place, id };
}

const maxLength = 1_000;

function parts(text: string): unknown[] {
  if (text.length > maxLength) return [];
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** What the column can be compared with, so that a made-up cursor is a fault of its maker and not of the database. */
function keyOf(kind: KeyKind, value: unknown): Cursor['key'] | null {
  if (kind === 'text') return typeof value === 'string' && !/\0/.test(value) ? value : null;
  if (kind === 'integer')
    return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31 ? (value as number) : null;
  if (kind === 'float') return typeof value === 'number' ? value : null;
  const ms = (value as { t?: unknown } | null)?.t;
  return typeof ms === 'number' && Number.isInteger(ms) && ms >= 0 && ms < lastYearEndMs ? new Date(ms) : null;
}

const lastYearEndMs = Date.UTC(10_000, 0);
