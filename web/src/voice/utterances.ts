import { createPcm16Encoder } from './pcm16.ts';
import { createSpeechDetector } from './speech-detector.ts';

interface UtteranceListener {
  /** Called when speech starts. Returns whether it continues the previous utterance. */
  onBegin: () => boolean;
  onSound: (sound: Uint8Array<ArrayBuffer>) => void;
  /** Called after a pause, or at the maximum length. */
  onEnd: () => void;
}

export interface Utterances {
  /** Processes samples of the microphone. */
  hear(samples: Float32Array, isAgentSpeaking: boolean): void;
  /** Discards the current utterance, because it failed to arrive; the rest of it is not sent. */
  drop(): void;
}

const bytesPerSecond = 48_000;
/** Just below the service's limit of one minute. */
const maxBytes = 55 * bytesPerSecond;
/** Audio from before the detected start that belongs to the utterance. */
const leadBytes = 0.5 * bytesPerSecond;

/** Splits the microphone's audio into utterances. `sampleRate` is in hertz. */
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
