import { asApiError } from '../api/api-error.ts';
import { RoomEventsDocument } from '../api/generated/operations.ts';
import { maxSocketFailures, openServiceSocket, type ServiceSocket, type SocketFrame } from '../api/service-socket.ts';
import { subscribe } from '../api/subscribe.ts';
import { shortestConnectionMs, waitForNetwork } from '../api/wait-for-network.ts';

export interface RoomEvent {
  type: string;
  offset: string | null;
  data: Record<string, unknown>;
}

interface RoomListener {
  onEvent: (event: RoomEvent) => void;
  /** Called with true when the channel opens, and with false when the connection is lost. */
  onLive: (isLive: boolean) => void;
  /** Called when events were missed, so the shown data may be stale. */
  onGap: () => void;
  /** Called when the person can no longer read the room. */
  onGone: () => void;
}

/** Sends typing and presence. A no-op without a socket, that is over SSE. */
export interface RoomConnection {
  type(): void;
  setActive(isActive: boolean): void;
  close(): void;
}

const goneCodes = new Set(['NOT_FOUND', 'FORBIDDEN']);

/** Follows a room. Reconnects after each lost connection and resumes after the last event. */
export function connectRoom(roomId: string, start: string, listener: RoomListener): RoomConnection {
  const closing = new AbortController();
  const { signal } = closing;
  let after = start;
  let socket: ServiceSocket | null = null;
  let isActive = true;
  const say = (frame: object): void => socket?.send(frame);
  const take = ({ type, offset, data }: RoomEvent): void => {
    if (offset !== null) after = offset;
    listener.onEvent({ type, offset, data });
  };
  /** When the channel was opened; null while it is closed. */
  let openedAtMs: number | null = null;
  const opened = (resumed: unknown, offset: unknown): void => {
    openedAtMs = performance.now();
    if (resumed === 'gap') listener.onGap();
    if (typeof offset === 'string') after = offset;
    listener.onLive(true);
  };

  /** Resolves when the connection ends, with whether the room is no longer readable. */
  const readSocket = async (): Promise<boolean> => {
    let isGone = false;
    const onFrame = (frame: SocketFrame): void => {
      if (frame.op === 'ready') say({ op: 'subscribe', id: roomId, channel: `room:${roomId}`, after });
      else if (frame.op === 'subscribed') {
        opened(frame.resumed, frame.offset);
        if (!isActive) say({ op: 'presence', id: roomId, state: 'away' });
      } else if (frame.op === 'event')
        take({ type: frame.type ?? '', offset: frame.offset ?? null, data: frame.data ?? {} });
      else if (frame.op === 'ended' || frame.op === 'error') {
        isGone = goneCodes.has((frame.code ?? 'not_found').toUpperCase());
        socket?.close();
      }
    };
    socket = await openServiceSocket({ signal, onFrame });
    await socket.closed;
    return isGone;
  };

  const readStream = async (): Promise<boolean> => {
    try {
      for await (const { roomEvents } of subscribe(RoomEventsDocument, { id: roomId, after }, { signal })) {
        if (roomEvents.type === 'subscribed') opened(roomEvents.data['resumed'], roomEvents.data['offset']);
        else take({ ...roomEvents, offset: roomEvents.offset ?? null });
      }
      return !signal.aborted;
    } catch (error) {
      return goneCodes.has(asApiError(error).code);
    }
  };

  const run = async (): Promise<void> => {
    let socketFailures = 0;
    for (let attempt = 0; !signal.aborted; attempt++) {
      const isSocket = socketFailures < maxSocketFailures;
      openedAtMs = null;
      const isGone = isSocket ? await readSocket() : await readStream();
      if (signal.aborted) return;
      listener.onLive(false);
      if (isGone) return listener.onGone();
      const openMs = openedAtMs === null ? null : performance.now() - openedAtMs;
      if (openMs !== null) socketFailures = 0;
      else if (isSocket && navigator.onLine) socketFailures += 1;
      if (openMs !== null && openMs > shortestConnectionMs) attempt = 0;
      await waitForNetwork(attempt, signal);
    }
  };
  void run();
  return {
    type: () => say({ op: 'typing', id: roomId }),
    setActive: (next) => {
      if (next === isActive) return;
      isActive = next;
      say({ op: 'presence', id: roomId, state: next ? 'active' : 'away' });
    },
    close: () => closing.abort(),
  };
}
