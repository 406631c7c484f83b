import { isOfLiveInstance } from '../../conversations/instances/instance-lease.ts';
import type { Ctx, Ports } from '../../core/ctx.ts';
import { purgeInBatches } from '../../core/database/purge-in-batches.ts';
import { newUuid } from '../../core/ids.ts';
import { roomKind } from '../events/room-log.ts';

const leaseSeconds = 30;
const renewMs = 10_000;
/** How long a person remains present after their connection ends, so that reloading a page causes no change. */
const lingerSeconds = 10;
const typingSeconds = 6;
const typingEveryMs = 3_000;

// The table is unlogged and in no backup. After a crash of PostgreSQL, the next renewal writes the rows again.
const hold = {
  name: 'room_presence_hold',
  text: `
    insert into room_presence (room_id, user_id, connection_id, instance_id, state, expires_at)
    select r.id, u.id, g.connection_id, $1, g.state, now() + interval '${leaseSeconds} seconds'
    from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as g (room_id, user_id, connection_id, state)
    join rooms r on r.id = g.room_id join users u on u.id = g.user_id
    on conflict (room_id, user_id, connection_id) do update set expires_at = excluded.expires_at`,
};
const change = {
  name: 'room_presence_change',
  text: `update room_presence set state = $4 where room_id = $1 and user_id = $2 and connection_id = $3`,
};
const setTyping = {
  name: 'room_presence_typing',
  text: `
    update room_presence set typing_until = now() + interval '${typingSeconds} seconds'
    where room_id = $1 and user_id = $2 and connection_id = $3`,
};
const leave = {
  name: 'room_presence_leave',
  text: `
    update room_presence set expires_at = now() + interval '${lingerSeconds} seconds', typing_until = null
    where room_id = $1 and user_id = $2 and connection_id = $3`,
};

export type PresenceState = 'active' | 'away';

/** A connection of a person who is present in a room. */
export interface RoomConnection {
  /** Reports typing, at most every three seconds. More frequent calls are no-ops. */
  type(): void;
  change(state: PresenceState): void;
  leave(): void;
}

interface HeldConnection {
  roomId: string;
  userId: string;
  id: string;
  state: PresenceState;
}

interface Held {
  connections: Set<HeldConnection>;
  timer: NodeJS.Timeout | undefined;
}

const heldBy = new WeakMap<Ports, Held>();

/** Writes that the connections are present, for another lease period. */
const holdAll = ({ ports, sql }: Ctx, connections: readonly HeldConnection[]): Promise<object[]> =>
  sql(hold, [
    ports.roomTurns.instanceId,
    connections.map(({ roomId }) => roomId),
    connections.map(({ userId }) => userId),
    connections.map(({ id }) => id),
    connections.map(({ state }) => state),
  ]);

/** Marks the caller as present in a room until the connection leaves or its instance dies. */
export function enterRoom(ctx: Ctx, roomId: string, userId: string): RoomConnection {
  const { ports, sql, log } = ctx;
  const held: Held = heldBy.get(ports) ?? { connections: new Set(), timer: undefined };
  heldBy.set(ports, held);
  const connection: HeldConnection = { roomId, userId, id: newUuid(), state: 'active' };
  const key = [roomId, userId, connection.id];
  let last = write(() => holdAll(ctx, [connection]), Promise.resolve());
  let typedAtMs = -Infinity;

  /**
   * Runs the writes in the order of the calls. A failed write is repaired by the next renewal, or its lease expires.
   */
  function write(run: () => Promise<object[]>, before: Promise<void>): Promise<void> {
    return before.then(run).then(
      () => ports.tasks.wake(roomKind(roomId)),
      (error: unknown) => log.warn({ err: error }, 'could not write the presence of a person'),
    );
  }

  held.connections.add(connection);
  held.timer ??= setInterval(() => {
    if (held.connections.size > 0) {
      holdAll(ctx, [...held.connections]).catch((error: unknown) =>
        log.warn({ err: error }, 'could not renew who is present'),
      );
      return;
    }
    clearInterval(held.timer);
    held.timer = undefined;
  }, renewMs).unref();

  return {
    type() {
      const nowMs = performance.now();
      if (nowMs - typedAtMs < typingEveryMs) return;
      typedAtMs = nowMs;
      last = write(() => sql(setTyping, key), last);
    },
    change(state) {
      connection.state = state;
      last = write(() => sql(change, [...key, state]), last);
    },
    leave() {
      if (!held.connections.delete(connection)) return;
      last = write(() => sql(leave, key), last);
    },
  };
}

/** A person who is present, with the combined state of all their connections. */
export interface Present {
  userId: string;
  state: 'online' | 'away';
  isTyping: boolean;
}

/**
 * SQL condition: the row `p` counts, because its instance is alive and the person has joined and shows their presence.
 */
const counts = `p.expires_at > now() and ${isOfLiveInstance('p.instance_id')} and exists (
  select from room_members m join users u on u.id = m.user_id
  where m.room_id = p.room_id and m.user_id = p.user_id and m.state = 'joined' and m.shows_presence
    and u.deletion_requested_at is null)`;

const listPresent = {
  name: 'room_present',
  text: `
    select p.user_id as "userId", case when bool_or(p.state = 'active') then 'online' else 'away' end as state,
      coalesce(bool_or(p.typing_until > now()), false) as "isTyping"
    from room_presence p where p.room_id = $1 and ${counts} group by p.user_id`,
};

/** Returns the people who are present in a room. Performs no authorization check. */
export const presentIn = (ctx: Ctx, roomId: string): Promise<Present[]> => ctx.sql<Present>(listPresent, [roomId]);

/** SQL expression that changes when a person joins, leaves or types in the room `r`. */
export const presenceDigest = `(
  select string_agg(p.user_id || p.state || (coalesce(p.typing_until > now(), false))::text, ',' order by p.user_id, p.connection_id)
  from room_presence p where p.room_id = r.id and ${counts})`;

const removeExpired = {
  name: 'room_presence_purge',
  text: `
    delete from room_presence where ctid = any (
      array(select ctid from room_presence where expires_at <= now() order by expires_at limit $1)) returning 1`,
};

/** SQL condition: a presence row has expired. */
export const hasExpiredPresence = 'exists (select from room_presence where expires_at <= now())';

/**
 * Removes expired presence rows, which every read of a room's presence would skip: each reload of a page leaves one.
 * Returns their number.
 */
export const removeExpiredPresence = (ctx: Ctx, signal: AbortSignal): Promise<number> =>
  purgeInBatches(ctx, removeExpired, null, signal);
