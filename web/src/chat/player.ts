import { useSyncExternalStore } from 'react';
import { fetchAuthorized } from '../api/request.ts';
import { notifyFailure } from '../parts/toast-store.ts';
import { preferences, setPreferences } from '../preferences/preferences.ts';
import { attachSound } from './sound-stream.ts';
import { texts } from './texts.ts';

interface Playing {
  id: string;
  isLoading: boolean;
  audio: HTMLAudioElement;
  reading: AbortController;
  onEnd: (() => void) | undefined;
}

/** One sound at a time in the whole page. */
let playing: Playing | null = null;
const listeners = new Set<() => void>();

function change(next: Playing | null): void {
  playing = next;
  for (const listener of listeners) listener();
}

export function stopPlaying(): void {
  if (!playing) return;
  const { audio, reading, onEnd } = playing;
  change(null);
  reading.abort();
  audio.pause();
  URL.revokeObjectURL(audio.src);
  onEnd?.();
}

/** Plays what a route of /v1 speaks, while it is still spoken. Whatever played before stops. */
export const play = (id: string, path: string, body: object): Promise<void> =>
  playSound(id, (signal) => fetchAuthorized(path, { method: 'POST', body: JSON.stringify(body), signal }));

/** Plays a sound while it arrives, in place of what played before. `onEnd` is called when it ends, for any reason. */
export async function playSound(
  id: string,
  open: (signal: AbortSignal) => Promise<Response>,
  onEnd?: () => void,
): Promise<void> {
  stopPlaying();
  const reading = new AbortController();
  const audio = new Audio();
  audio.defaultPlaybackRate = preferences().readingSpeed;
  audio.addEventListener('ended', stopPlaying);
  const started: Playing = { id, isLoading: true, audio, reading, onEnd };
  change(started);
  try {
    const { signal } = reading;
    await attachSound(audio, await open(signal), signal);
    await audio.play();
    if (playing === started) change({ ...started, isLoading: false });
  } catch (error) {
    if (reading.signal.aborted) return;
    stopPlaying();
    notifyFailure(texts.cantReadAloud, error);
  }
}

/** How fast replies are read: now and from now on. */
export function setReadingSpeed(readingSpeed: number): void {
  setPreferences({ readingSpeed });
  if (playing) playing.audio.playbackRate = readingSpeed;
}

export const usePlaying = (id: string): 'no' | 'loading' | 'playing' =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => {
      if (playing?.id !== id) return 'no';
      return playing.isLoading ? 'loading' : 'playing';
    },
  );
