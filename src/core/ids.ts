import { randomUUIDv7 } from 'node:crypto';

/**
 * Id prefixes and the objects that they identify. Features add theirs by declaration merging. An agent's id is a bare
 * UUID.
 */
export interface IdPrefixes {
  evt_: 'event';
}

export type IdPrefix = keyof IdPrefixes;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns a new UUIDv7 in canonical lower case. Ids are ordered by time only to the millisecond. */
export const newUuid = (): string => randomUUIDv7();

/** Returns a new id: the prefix and a UUIDv7. */
export const newId = (prefix: IdPrefix): string => prefix + newUuid();

/** Returns whether `text` is a UUID in canonical lower case. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);

/**
 * Returns whether `text` is a well-formed id with this prefix. Callers treat a malformed id like one that does not
 * exist.
 */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.startsWith(prefix) && isUuid(text.slice(prefix.length));
