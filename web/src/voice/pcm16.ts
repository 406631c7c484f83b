/** The service expects 24 kHz, mono, 16 bits, little-endian. */
const sampleRate = 24_000;
const loudest = 32_767;

/** Returns a function that resamples consecutive pieces of a sound to pcm16. `fromRate` is in hertz. */
export function createPcm16Encoder(fromRate: number): (samples: Float32Array) => Uint8Array<ArrayBuffer> {
  const step = fromRate / sampleRate;
  let rest = new Float32Array(0);
  /** Position of the next output sample, in input samples from the start of `rest`. */
  let at = 0;
  return (samples) => {
    const all = new Float32Array(rest.length + samples.length);
    all.set(rest);
    all.set(samples, rest.length);
    const encoded: number[] = [];
    for (; at + Math.max(step, 1) <= all.length; at += step) {
      const first = Math.floor(at);
      // Average the input samples of one output sample, a simple low-pass filter against aliasing.
      const mean = meanOf(all, first, Math.max(first + 1, Math.floor(at + step)));
      encoded.push(Math.round(Math.max(-1, Math.min(1, mean)) * loudest));
    }
    const used = Math.floor(at);
    rest = all.slice(used);
    at -= used;
    return new Uint8Array(Int16Array.from(encoded).buffer);
  };
}

function meanOf(samples: Float32Array, first: number, end: number): number {
  let sum = 0;
  for (let index = first; index < end; index++) sum += samples[index] ?? 0;
  return sum / (end - first);
}
