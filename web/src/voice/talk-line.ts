import { ApiError } from '../api/api-error.ts';
import { maxSocketFailures, openServiceSocket, type ServiceSocket, type SocketFrame } from '../api/service-socket.ts';
import { waitForNetwork } from '../api/wait-for-network.ts';
import { texts } from './texts.ts';

interface LineListener {
  /** The conversation is followed: a turn can begin. */
  onOpen: () => void;
  /** The connection was lost. It is opened again. */
  onLost: () => void;
  /** A frame about the conversation. */
  onFrame: (frame: SocketFrame) => void;
  onSound: (sound: Uint8Array<ArrayBuffer>) => void;
  /** There will be no connection. */
  onRefused: (error: ApiError) => void;
}

/** The voice channel of a conversation, through any number of lost connections. */
export interface TalkLine {
  start(): void;
  send(sound: Uint8Array<ArrayBuffer>): void;
  commit(): void;
  /** Ends the turn. What still comes of it is dropped. */
  cancel(): void;
  close(): void;
}

/** The name of the only subscription on its connection. */
const id = 'talk';
const tooManyConnections = 4429;
const maxFrameBytes = 65_536;

export function openTalkLine(conversationId: string, listener: LineListener): TalkLine {
  const closing = new AbortController();
  const { signal } = closing;
  let socket: ServiceSocket | null = null;
  let wasOpen = false;
  /** After a cancel, until the next turn begins: what comes is of the turn before. */
  let isStale = false;
  const say = (op: string, rest: object = {}): void => socket?.send({ op, id, ...rest });

  const take = (frame: SocketFrame): void => {
    if (frame.op === 'ready') say('subscribe', { channel: `conversation:${conversationId}` });
    else if (frame.op === 'going_away') socket?.close();
    else if (frame.op === 'subscribed') {
      wasOpen = true;
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
      const close = (): void => own.close();
      // A network that is gone closes no connection.
      addEventListener('offline', close);
      const code = await own.closed;
      removeEventListener('offline', close);
      if (signal.aborted) return;
      if (code === tooManyConnections) refuse(new ApiError('PLAN_LIMIT_EXCEEDED', texts.tooManyConnections));
      if (wasOpen) attempt = failures = 0;
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
