import { createPcm16Encoder } from './pcm16.ts';
import { createSpeechDetector } from './speech-detector.ts';

interface UtteranceListener {
  /** Someone speaks. Returns whether it continues the utterance before. */
  onBegin: () => boolean;
  onSound: (sound: Uint8Array<ArrayBuffer>) => void;
  /** A pause, or as much as an utterance may have. */
  onEnd: () => void;
}

export interface Utterances {
  /** Takes what the microphone hears. */
  hear(samples: Float32Array, isAgentSpeaking: boolean): void;
  /** What was said did not arrive; the rest of it is not sent either. */
  drop(): void;
}

const bytesPerSecond = 48_000;
/** The service takes a minute. */
const maxBytes = 55 * bytesPerSecond;
/** What was heard before speech was recognized is part of it. */
const leadBytes = 0.5 * bytesPerSecond;

/** Cuts what a microphone hears into utterances. */
export function createUtterances(sampleRate: number, { onBegin, onSound, onEnd }: UtteranceListener): Utterances {
  const detector = createSpeechDetector(sampleRate);
  const encode = createPcm16Encoder(sampleRate);
  let lead: Uint8Array<ArrayBuffer>[] = [];
  let said: Uint8Array<ArrayBuffer>[] = [];
  let isOpen = false;
  const begin = (): void => {
    const isContinued = onBegin() && sizeOf(said) + sizeOf(lead) < maxBytes;
    said = [...(isContinued ? said : []), ...lead];
    lead = [];
    isOpen = true;
    onSound(joined(said));
  };
  const end = (): void => {
    isOpen = false;
    onEnd();
  };
  return {
    hear(samples, isAgentSpeaking) {
      const sound = encode(samples);
      const heard = detector.hear(samples, isAgentSpeaking);
      if (isOpen) {
        said.push(sound);
        onSound(sound);
        if (heard === 'ended' || sizeOf(said) >= maxBytes) end();
        return;
      }
      lead.push(sound);
      while (sizeOf(lead) > leadBytes) lead.shift();
      if (heard === 'began') begin();
    },
    drop() {
      isOpen = false;
      said = [];
    },
  };
}

const sizeOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, piece) => sum + piece.length, 0);

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(sizeOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
