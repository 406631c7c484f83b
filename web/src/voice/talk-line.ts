import { ApiError } from '../api/api-error.ts';
import { maxSocketFailures, openServiceSocket, type ServiceSocket, type SocketFrame } from '../api/service-socket.ts';
import { shortestConnectionMs, waitForNetwork } from '../api/wait-for-network.ts';
import { texts } from './texts.ts';

interface LineListener {
  /** Called when the conversation's channel is open, so that a turn can start. */
  onOpen: () => void;
  /** Called when the connection was lost; it is retried. */
  onLost: () => void;
  /** Called for a frame about the conversation. */
  onFrame: (frame: SocketFrame) => void;
  onSound: (sound: Uint8Array<ArrayBuffer>) => void;
  /** Called when the connection is given up. */
  onRefused: (error: ApiError) => void;
}

/** The voice channel of a conversation. It reconnects after each lost connection. */
export interface TalkLine {
  start(): void;
  send(sound: Uint8Array<ArrayBuffer>): void;
  commit(): void;
  /** Cancels the turn. Frames of it that still arrive are dropped. */
  cancel(): void;
  close(): void;
}

/** Id of the only subscription on the connection. */
const id = 'talk';
const tooManyConnections = 4429;
const maxFrameBytes = 65_536;

export function openTalkLine(conversationId: string, listener: LineListener): TalkLine {
  const closing = new AbortController();
  const { signal } = closing;
  let socket: ServiceSocket | null = null;
  let wasOpen = false;
  let openedAtMs = 0;
  /** True from a cancel until the next turn starts: arriving frames belong to the cancelled turn. */
  let isStale = false;
  const say = (op: string, rest: object = {}): void => socket?.send({ op, id, ...rest });

  const take = (frame: SocketFrame): void => {
    if (frame.op === 'ready') say('subscribe', { channel: `conversation:${conversationId}` });
    else if (frame.op === 'subscribed') {
      wasOpen = true;
      openedAtMs = performance.now();
      isStale = false;
      listener.onOpen();
    } else if (!wasOpen && frame.op === 'error') refuse(new ApiError(frame.code ?? '', frame.message ?? ''));
    else if (frame.op === 'ended' && frame.code === 'unavailable') socket?.close();
    else if (frame.op === 'ended') refuse(new ApiError('NOT_FOUND', texts.conversationGone));
    else if (frame.op === 'voice.started') isStale = false;
    else if (frame.op === 'voice.ended' ? !isStale : frame.op === 'event' || frame.op === 'error')
      listener.onFrame(frame);
  };
  const refuse = (error: ApiError): void => {
    if (signal.aborted) return;
    closing.abort();
    listener.onRefused(error);
  };

  const run = async (): Promise<void> => {
    let failures = 0;
    for (let attempt = 0; !signal.aborted; attempt++) {
      wasOpen = false;
      const onSound = (sound: Uint8Array<ArrayBuffer>): void => {
        if (!isStale) listener.onSound(sound);
      };
      const own = await openServiceSocket({ signal, onFrame: take, onSound });
      socket = own;
      const code = await own.closed;
      if (signal.aborted) return;
      if (code === tooManyConnections) refuse(new ApiError('PLAN_LIMIT_EXCEEDED', texts.tooManyConnections));
      if (wasOpen && performance.now() - openedAtMs > shortestConnectionMs) attempt = 0;
      if (wasOpen) failures = 0;
      else if (navigator.onLine) failures += 1;
      if (failures > maxSocketFailures) refuse(new ApiError('OFFLINE', texts.noVoiceConnection));
      if (signal.aborted) return;
      listener.onLost();
      await waitForNetwork(attempt, signal);
    }
  };
  void run();
  return {
    start: () => say('voice.start', { format: 'pcm16' }),
    send: (sound) => {
      for (let at = 0; at < sound.length; at += maxFrameBytes) socket?.send(sound.subarray(at, at + maxFrameBytes));
    },
    commit: () => say('voice.commit'),
    cancel: () => {
      isStale = true;
      say('voice.cancel');
    },
    close: () => closing.abort(),
  };
}
