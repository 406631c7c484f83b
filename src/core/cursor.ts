import { invalidField } from './errors.ts';

/** Position of an item in an ordered list: its sort key and its tiebreaker. */
export interface Cursor {
  key: string | number | Date;
  id: string;
}

/**
 * Encodes a cursor for clients. It is opaque but not secret, and it is not signed: it contains only values that the
 * reader has seen, and gives access only to the rest of a list that the reader may read anyway.
 */
export const cursorOf = (list: string, { key, id }: Cursor): string =>
  Buffer.from(JSON.stringify([list, key instanceof Date ? { t: key.getTime() } : key, id])).toString('base64url');

/** Type of the sort key of a list. */
export type KeyKind = 'time' | 'integer' | 'float' | 'text';

/** Decodes a cursor. @throws AppError `invalid_request` for `field` when `text` is not a cursor of this list */
export function readCursor(list: string, kind: KeyKind, text: string, field = 'after'): Cursor {
  const [name, key, id, ...rest] = parts(text);
  const sortKey = keyOf(kind, key);
  if (name !== list || sortKey === null || typeof id !== 'string' || /\0/.test(id) || rest.length > 0) {
    throw invalidField(field, 'unknown_cursor', `${field} must be a cursor of this list, in this order`);
  }
  return { key: sortKey, id };
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

/**
 * Returns the key as a value that the column can be compared with, or null, so that a forged cursor is rejected as
 * invalid input instead of failing in the database.
 */
function keyOf(kind: KeyKind, value: unknown): Cursor['key'] | null {
  if (kind === 'text') return typeof value === 'string' && !/\0/.test(value) ? value : null;
  if (kind === 'integer')
    return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31 ? (value as number) : null;
  if (kind === 'float') return typeof value === 'number' ? value : null;
  const ms = (value as { t?: unknown } | null)?.t;
  return typeof ms === 'number' && Number.isInteger(ms) && ms >= 0 && ms < lastYearEndMs ? new Date(ms) : null;
}

const lastYearEndMs = Date.UTC(10_000, 0);
