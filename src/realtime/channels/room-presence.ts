import type { Present } from '../../rooms/presence/presence.ts';
import type { ChannelEvent } from '../channel.ts';

/** Who is in a room, by id of the person. Another object whenever someone comes, goes or changes. */
export type PresenceStates = ReadonlyMap<string, Present['state']>;

/** The states of those who are there: `known` when they are the same. */
export function statesOf(present: readonly Present[], known: PresenceStates | null): PresenceStates {
  const isSame = present.length === known?.size && present.every(({ userId, state }) => known.get(userId) === state);
  return isSame ? known : new Map(present.map(({ userId, state }) => [userId, state]));
}

/** The events that lead from one state to another. */
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
