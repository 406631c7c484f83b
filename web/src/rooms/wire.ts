import type {
  RoomFieldsFragment,
  RoomMessageFieldsFragment,
  RoomTurnFieldsFragment,
} from '../api/generated/operations.ts';

/** The values of these fields are names of an enum in GraphQL. */
const inCapitals = new Set(['kind', 'state', 'role', 'replyMode', 'payer', 'history']);

/** Converts the data of a room event from the names and values of REST to those of GraphQL. */
function fromWire(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => fromWire(item));
  if (typeof value === 'string') return inCapitals.has(field) ? value.toUpperCase() : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const camel = name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
      return [camel, fromWire(inner, camel)];
    }),
  );
}

export const messageOf = (data: object) => fromWire(data) as RoomMessageFieldsFragment;
export const turnOf = (data: object) => fromWire(data) as RoomTurnFieldsFragment;
export const settingsOf = (data: object) => fromWire(data) as Partial<RoomFieldsFragment>;
