import type { Present } from '../../rooms/presence/presence.ts';
import type { ChannelEvent } from '../channel.ts';

/** Presence in a room by user id. The object is replaced whenever the presence of a person changes. */
export type PresenceStates = ReadonlyMap<string, Present['state']>;

/** Returns the states of the people who are present, or `known` itself if it is equal. */
export function statesOf(present: readonly Present[], known: PresenceStates | null): PresenceStates {
  const isSame = present.length === known?.size && present.every(({ userId, state }) => known.get(userId) === state);
  return isSame ? known : new Map(present.map(({ userId, state }) => [userId, state]));
}

/** Returns the events for the difference between two states. */
export function presenceChanges(before: PresenceStates, states: PresenceStates): ChannelEvent[] {
  const gone = [...before.keys()].filter((userId) => !states.has(userId));
  const changed = [...states].filter(([userId, state]) => before.get(userId) !== state);
  return [...gone.map((userId) => presenceEvent(userId, 'offline')), ...changed.map((one) => presenceEvent(...one))];
}

const presenceEvent = (userId: string, state: Present['state'] | 'offline'): ChannelEvent => ({
  type: 'presence',
  offset: null,
  data: { user_id: userId, state },
});
