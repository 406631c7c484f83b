const sampleRate = 24_000;
const bytesPerSample = 2;
const headerBytes = 44;

/** Number of bytes per second: 24 kHz, one channel. */
export const pcm16PerSecond = sampleRate * bytesPerSample;

/** Returns the WAV header for a number of bytes of pcm16 audio. */
export function wavHeader(soundBytes: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0);
  header.writeUInt32LE(headerBytes - 8 + soundBytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(pcm16PerSecond, 28);
  header.writeUInt16LE(bytesPerSample, 32);
  header.writeUInt16LE(bytesPerSample * 8, 34);
  header.write('data', 36);
  header.writeUInt32LE(soundBytes, 40);
  return header;
}
