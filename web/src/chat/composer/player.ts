import { useSyncExternalStore } from 'react';
import { fetchAuthorized } from '../../api/request.ts';
import { notifyFailure } from '../../parts/layers/toast-store.ts';
import { preferences, setPreferences } from '../../preferences/preferences.ts';
import { attachSound } from './sound-stream.ts';
import { texts } from '../texts.ts';

interface Playing {
  id: string;
  isLoading: boolean;
  audio: HTMLAudioElement;
  reading: AbortController;
  onEnd: (() => void) | undefined;
}

/** The page plays one sound at a time. */
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

/** Plays the speech of a /v1 route while it is generated. Stops any other sound. */
export const play = (id: string, path: string, body: object): Promise<void> =>
  playSound(id, (signal) => fetchAuthorized(path, { method: 'POST', body: JSON.stringify(body), signal }));

/** Plays a sound while it arrives, and stops any other. Calls `onEnd` when it ends, for any reason. */
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

/** Sets the playback speed of the current sound and of later ones. */
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
