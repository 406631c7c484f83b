import { playSound, stopPlaying } from '../chat/composer/player.ts';

/** The speech of a reply, played while it arrives. */
export interface ReplySound {
  add(piece: Uint8Array<ArrayBuffer>): void;
  /** Marks the sound as complete. It plays to its end. */
  finish(): void;
  /** Stops immediately. */
  stop(): void;
}

/** Starts playback. Calls `onEnd` when it ends, or when another sound replaces it. */
export function playReply(onEnd: () => void): ReplySound {
  let pieces: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | null = null;
  const finish = (): void => {
    pieces?.close();
    pieces = null;
  };
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      pieces = controller;
    },
  });
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    finish();
    onEnd();
  };
  const response = new Response(body, { headers: { 'content-type': 'audio/mpeg' } });
  void playSound('talk', () => Promise.resolve(response), end);
  return {
    add: (piece) => pieces?.enqueue(piece),
    finish,
    stop: () => {
      if (!isOver) stopPlaying();
    },
  };
}
