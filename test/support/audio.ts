import { createOggEncoder } from 'wasm-media-encoders';
import { MPEGDecoder } from 'mpg123-decoder';

export interface Decoded {
  seconds: number;
  sampleRate: number;
  /** Faults that the decoder reported. */
  errors: string[];
  samples: Float32Array;
}

/** Decodes an MP3 with a decoder that shares no code with the encoder. */
export async function decodeMp3(file: Uint8Array): Promise<Decoded> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  const { channelData, samplesDecoded, sampleRate, errors } = decoder.decode(file);
  const samples = Float32Array.from(channelData[0] ?? []);
  decoder.free();
  return { seconds: samplesDecoded / sampleRate, sampleRate, errors: errors.map(({ message }) => message), samples };
}

const rate = 16_000;

const tone = (seconds: number): Float32Array =>
  Float32Array.from({ length: Math.round(seconds * rate) }, (_, i) => 0.3 * Math.sin((2 * Math.PI * 220 * i) / rate));

/** Returns a WAV file with a tone, 16 bits, mono. */
export const wav = (seconds: number): Buffer =>
  pcmWav(
    Int16Array.from(tone(seconds), (value) => value * 32_767),
    rate,
  );

/** Returns samples as a WAV file, 16 bits, mono. */
export function pcmWav(samples: Int16Array, sampleRate: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length * 2, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length * 2, 40);
  return Buffer.concat([header, Buffer.from(samples.buffer)]);
}

/** Returns an Ogg Vorbis file. */
export async function ogg(seconds: number): Promise<Buffer> {
  const encoder = await createOggEncoder();
  encoder.configure({ channels: 1, sampleRate: rate, vbrQuality: 3 });
  const head = Buffer.from(encoder.encode([tone(seconds)]));
  return Buffer.concat([head, Buffer.from(encoder.finalize())]);
}

/** Returns a WebM file whose header declares Opus and a duration, without audio data. */
export function webm(seconds: number): Buffer {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(seconds * 1_000);
  const info = ebml('1549a966', ebml('2ad7b1', Buffer.of(0x0f, 0x42, 0x40)), ebml('4489', duration));
  const track = ebml('ae', ebml('d7', Buffer.of(1)), ebml('83', Buffer.of(2)), ebml('86', Buffer.from('A_OPUS')));
  return Buffer.concat([webmHead, ebml('18538067', info, ebml('1654ae6b', track))]);
}

/** The bytes by which file-type recognizes WebM, and nothing else. */
export const webmHead: Buffer = ebml('1a45dfa3', ebml('4282', Buffer.from('webm')));

function ebml(id: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(body.length | 0x1000_0000);
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}

/** Parses a WAV file: fields of its header, and the samples. */
export const parsedWav = (file: Buffer) => ({
  channels: file.readUInt16LE(22),
  sampleRate: file.readUInt32LE(24),
  bits: file.readUInt16LE(34),
  sound: file.subarray(44, 44 + file.readUInt32LE(40)),
});
