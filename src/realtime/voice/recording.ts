import type { Ports } from '../../core/ctx.ts';
import { AppError, invalidField } from '../../core/errors.ts';
import { maxAudioBytes } from '../../voice/voice.input.ts';
import { pcm16PerSecond, wavHeader } from './pcm16.ts';

export type RecordingFormat = 'webm' | 'pcm16';

export const maxRecordingSeconds = 60;
/** Maximum memory used by all recordings of the process. */
const maxHeldBytes = 128 * 1_048_576;

const maxBytes: Record<RecordingFormat, number> = { webm: maxAudioBytes, pcm16: maxRecordingSeconds * pcm16PerSecond };

/** An utterance while it is received. */
export interface Recording {
  /**
   * Adds audio.
   * @throws AppError `payload_too_large`, `unavailable`
   */
  add(sound: Buffer): void;
  /**
   * Yields the bytes for the transcriber.
   * @throws AppError `invalid_request`, `unsupported_media_type`
   */
  audio(): AsyncGenerator<Buffer, void, void>;
  /** Frees the memory. */
  release(): void;
}

const held = new WeakMap<Ports, { bytes: number }>();

export function createRecording(ports: Ports, format: RecordingFormat): Recording {
  const ofProcess = held.get(ports) ?? { bytes: 0 };
  held.set(ports, ofProcess);
  let pieces: Buffer[] = [];
  let sizeBytes = 0;

  return {
    add(sound) {
      if (sizeBytes + sound.length > maxBytes[format]) {
        throw new AppError('payload_too_large', {
          message: `An utterance can have at most ${maxRecordingSeconds} seconds and 25 MB.`,
        });
      }
      if (ofProcess.bytes + sound.length > maxHeldBytes) throw new AppError('unavailable');
      // A copy, because a small piece would retain the whole network chunk.
      pieces.push(Buffer.from(sound));
      sizeBytes += sound.length;
      ofProcess.bytes += sound.length;
    },
    audio() {
      if (sizeBytes === 0) throw invalidField('audio', 'empty', 'The recording is empty.');
      if (format === 'pcm16' && sizeBytes % 2 !== 0) {
        throw invalidField('audio', 'invalid', 'A pcm16 recording must have two bytes per sample.');
      }
      if (format === 'webm' && !Buffer.concat(pieces.slice(0, 4)).subarray(0, 4).equals(webmMark)) {
        throw new AppError('unsupported_media_type', { message: 'The recording is not WebM.' });
      }
      return inOrder(format === 'webm' ? pieces : [wavHeader(sizeBytes), ...pieces]);
    },
    release() {
      ofProcess.bytes -= sizeBytes;
      pieces = [];
      sizeBytes = 0;
    },
  };
}

const webmMark = Buffer.from('1a45dfa3', 'hex');

async function* inOrder(pieces: readonly Buffer[]): AsyncGenerator<Buffer, void, void> {
  yield* pieces;
}
