import { randomUUIDv7 } from 'node:crypto';

/** Every prefix of an id and what it names; features merge theirs in. An agent's id is a bare UUID. */
export interface IdPrefixes {
  evt_: 'event';
}

export type IdPrefix = keyof IdPrefixes;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A new UUIDv7 in canonical lower case, ordered by time only to the millisecond. */
export const newUuid = (): string => randomUUIDv7();

/** A new id: the prefix and a UUIDv7. */
export const newId = (prefix: IdPrefix): string => prefix + newUuid();

/** Whether `text` has the form of a UUID in canonical lower case. */
export const isUuid = (text: string): boolean => uuidPattern.test(text);

/** Whether `text` has the form of an id with this prefix; one that does not parse is treated like one that does not exist. */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.startsWith(prefix) && isUuid(text.slice(prefix.length));
