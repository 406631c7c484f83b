/** Minimum level of speech (root mean square), even in silence. */
const quietest = 0.008;
/** Speech is at least this many times louder than the background noise. */
const overNoise = 3;
/** While the agent speaks, the threshold is multiplied by this, so that residual echo does not count as speech. */
const overEcho = 2;
const beginMs = 120;
const interruptMs = 220;
/** A pause of this length ends an utterance. */
const pauseMs = 1_000;
/** Time constants of the noise estimate. It falls fast and rises slowly, because speech has gaps and noise has none. */
const fallMs = 100;
const riseMs = 20_000;

export interface SpeechDetector {
  /** Processes samples. Returns whether speech began or ended. The threshold is higher while the agent speaks. */
  hear(samples: Float32Array, isAgentSpeaking: boolean): 'began' | 'ended' | null;
}

/** Creates a detector of speech by its loudness relative to the background noise. `sampleRate` is in hertz. */
export function createSpeechDetector(sampleRate: number): SpeechDetector {
  let noise = quietest / overNoise;
  let isSpeech = false;
  /** Milliseconds that speak for a change of `isSpeech`. Before speech, quiet gaps between syllables subtract half. */
  let otherMs = 0;
  return {
    hear(samples, isAgentSpeaking) {
      const ms = (samples.length / sampleRate) * 1_000;
      const level = loudnessOf(samples);
      noise += (level - noise) * Math.min(1, ms / (level < noise ? fallMs : riseMs));
      const needed = Math.max(quietest, noise * overNoise) * (isAgentSpeaking && !isSpeech ? overEcho : 1);
      const isLoud = level > needed;
      if (isLoud !== isSpeech) otherMs += ms;
      else otherMs = isSpeech ? 0 : Math.max(0, otherMs - ms / 2);
      const startMs = isAgentSpeaking ? interruptMs : beginMs;
      const neededMs = isSpeech ? pauseMs : startMs;
      if (otherMs < neededMs) return null;
      otherMs = 0;
      isSpeech = !isSpeech;
      return isSpeech ? 'began' : 'ended';
    },
  };
}

/** Root mean square. */
function loudnessOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / Math.max(1, samples.length));
}
