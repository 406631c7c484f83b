import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
let encoderModule: Promise<WebAssembly.Module> | undefined;

/** Sample rate of the output; other input rates are converted. */
export const sampleRate = 24_000;
const bitrate = 48;

export interface Mp3Encoder {
  encode(sound: Float32Array): Buffer;
  finish(): Buffer;
}

/** Creates an encoder of mono audio at `inputRate` to MP3 frames, without tags. */
export async function createMp3Encoder(inputRate: number = sampleRate): Promise<Mp3Encoder> {
  // Imported on demand, because the package contains its encoders as text.
  const { createEncoder } = await import('wasm-media-encoders');
  const encoder = await createEncoder('audio/mpeg', await compiledEncoder());
  encoder.configure({ channels: 1, sampleRate: inputRate, outputSampleRate: sampleRate, bitrate });
  // Copies the output, because the encoder returns a view of memory that the next call overwrites.
  return {
    encode: (sound) => Buffer.from(encoder.encode([sound])),
    finish: () => Buffer.from(encoder.finalize()),
  };
}

const compiledEncoder = (): Promise<WebAssembly.Module> =>
  (encoderModule ??= readFile(require.resolve('wasm-media-encoders/wasm/mp3')).then((wasm) =>
    WebAssembly.compile(wasm),
  ));

/**
 * Returns an ID3v2.4 tag. `text` is stored as the lyrics, which players show.
 * @see https://id3.org/id3v2.4.0-frames
 */
export function id3Tag({ title, text }: { title: string; text: string }): Buffer {
  const utf8 = 3;
  const frames = Buffer.concat([
    id3Frame('TIT2', Buffer.concat([Buffer.of(utf8), Buffer.from(title)])),
    id3Frame('USLT', Buffer.concat([Buffer.of(utf8), Buffer.from('und\0'), Buffer.from(text)])),
  ]);
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), syncsafe(frames.length), frames]);
}

const id3Frame = (id: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(id), syncsafe(content.length), Buffer.of(0, 0), content]);

const syncsafe = (n: number): Buffer => Buffer.of((n >> 21) & 0x7f, (n >> 14) & 0x7f, (n >> 7) & 0x7f, n & 0x7f);
