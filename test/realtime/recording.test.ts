import { expect, test } from 'vitest';
import type { Ports } from '../../src/core/ctx.ts';
import { createRecording } from '../../src/realtime/voice/recording.ts';
import { parsedWav } from '../support/audio.ts';

const mb = 1_048_576;
async function collect(sound: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of sound) pieces.push(piece);
  return Buffer.concat(pieces);
}

test('pcm16 becomes a WAV file of 24 kHz and one channel', async () => {
  const recording = createRecording({} as Ports, 'pcm16');
  const sound = Buffer.from(Int16Array.from({ length: 480 }, (_, n) => n).buffer);
  recording.add(sound.subarray(0, 101));
  recording.add(sound.subarray(101));
  const wav = await collect(recording.audio());
  expect(parsedWav(wav)).toEqual({ sampleRate: 24_000, channels: 1, bits: 16, sound });
});

test('all recordings of a process together have a bound, and free their memory', () => {
  const ports = {} as Ports;
  const recordings = Array.from({ length: 5 }, () => createRecording(ports, 'webm'));
  for (const recording of recordings) recording.add(Buffer.alloc(25 * mb));
  expect(() => recordings[0]!.add(Buffer.alloc(1))).toThrow('25 MB');
  const other = createRecording(ports, 'webm');
  expect(() => other.add(Buffer.alloc(4 * mb))).toThrow('unavailable');
  recordings[0]!.release();
  recordings[0]!.release();
  other.add(Buffer.alloc(4 * mb));
  createRecording({} as Ports, 'webm').add(Buffer.alloc(25 * mb));
});

test('a recording in WebM begins like WebM, however its first bytes are divided', async () => {
  const recording = createRecording({} as Ports, 'webm');
  for (const byte of Buffer.from('1a45dfa3', 'hex')) recording.add(Buffer.of(byte));
  expect(await collect(recording.audio())).toHaveLength(4);
  const other = createRecording({} as Ports, 'webm');
  other.add(Buffer.from('RIFF'));
  expect(() => other.audio()).toThrow('not WebM');
});
