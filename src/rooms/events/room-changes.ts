import type { Ctx, Ports } from '../../core/ctx.ts';
import { presenceDigest } from '../presence/presence.ts';
import { roomKind } from './room-log.ts';

/** Poll interval, in milliseconds. Notifications can be lost, so one poll covers all rooms that the process watches. */
const pollMs = 2_000;

const poll = {
  name: 'rooms_poll',
  text: `
    select r.id, concat_ws(' ', r.last_position, r.event_sequence, (
      select t.id from room_turns t where t.room_id = r.id and t.state = 'running'), ${presenceDigest}) as digest
    from rooms r where r.id = any ($1)`,
};

interface Watched {
  listeners: Set<() => void>;
  digest: string | undefined;
}

interface Watch {
  rooms: Map<string, Watched>;
  timer: NodeJS.Timeout | undefined;
}

const watches = new WeakMap<Ports, Watch>();

/**
 * Calls `listener` after a change in a room on any instance, and whenever a change may have been missed. Returns an
 * unsubscribe function. All listeners of a process share one poll.
 */
export function onRoomChanges({ ports }: Ctx, roomId: string, listener: () => void): () => void {
  const watch: Watch = watches.get(ports) ?? { rooms: new Map(), timer: undefined };
  watches.set(ports, watch);
  const room: Watched = watch.rooms.get(roomId) ?? { listeners: new Set(), digest: undefined };
  watch.rooms.set(roomId, room);
  room.listeners.add(listener);
  const stop = ports.wakes.onWake(roomKind(roomId), listener);
  watch.timer ??= setTimeout(() => void look(ports, watch), pollMs).unref();
  return () => {
    stop();
    room.listeners.delete(listener);
    if (room.listeners.size === 0 && watch.rooms.get(roomId) === room) watch.rooms.delete(roomId);
  };
}

async function look(ports: Ports, watch: Watch): Promise<void> {
  if (watch.rooms.size === 0) {
    watch.timer = undefined;
    return;
  }
  const { sql, log } = ports.background();
  try {
    for (const { id, digest } of await sql<{ id: string; digest: string }>(poll, [[...watch.rooms.keys()]])) {
      const room = watch.rooms.get(id);
      if (!room || room.digest === digest) continue;
      room.digest = digest;
      for (const listener of room.listeners) listener();
    }
  } catch (error) {
    log.warn({ err: error }, 'could not look for changes of the rooms that are followed, will retry');
  }
  watch.timer = setTimeout(() => void look(ports, watch), pollMs).unref();
}
