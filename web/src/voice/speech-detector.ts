/** Below this a microphone hears nothing, however quiet the surroundings are. */
const quietest = 0.008;
/** So much louder than the surroundings is speech. */
const overNoise = 3;
/** While the agent speaks, what is left of its echo is not. */
const overEcho = 2;
const beginMs = 120;
const interruptMs = 220;
/** A pause of this length ends what is said. */
const pauseMs = 1_000;
/** The surroundings become quieter at once, and louder slowly: a voice has gaps, a fan has none. */
const fallMs = 100;
const riseMs = 20_000;

export interface SpeechDetector {
  /** Takes the next samples: whether speech began or ended with them. While the agent speaks, it takes more to begin. */
  hear(samples: Float32Array, isAgentSpeaking: boolean): 'began' | 'ended' | null;
}

/** Tells speech from the surroundings by its loudness. */
export function createSpeechDetector(sampleRate: number): SpeechDetector {
  let noise = quietest / overNoise;
  let isSpeech = false;
  /** How long what is heard has been the other of the two. Syllables have gaps, which count half against speech. */
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
