import { dividedBy, dotProduct } from './vectors.ts';

/**
 * Distribution of the vectors of an agent's chunks. Embedding models differ in the cosines that they assign to related
 * and to unrelated texts, so a cosine is meaningful only relative to others of the same model.
 */
export interface VectorSpread {
  /** Mean of the vectors. Its length is not 1. */
  readonly centre: Float32Array;
  /** Returns how close a chunk is to a question, in standard deviations; comparable between agents and models. */
  nearness(cosine: number, distance: number | null): number;
  /**
   * Returns the distance of a chunk from the centre. A chunk about many subjects is near the centre, and close to no
   * question.
   */
  distance(vector: Float32Array): number;
}

/** Prior that applies until an agent has enough chunks. */
const usual = { similarity: 0.3, deviation: 0.12, weight: 8 };
/**
 * Upper bound for the similarity of unrelated texts: chunks of one subject are more similar to each other than a
 * question is to the chunk with its answer.
 */
const maxUnrelated = 1 / 3;
const minDeviation = 0.02;
/** A chunk that is this much less similar to a question than two chunks are to each other is unrelated to it. */
const margin = 0.6;
/** Largest number of vectors whose pairs are compared. */
const compared = 128;
/** Smallest sample for distances; in a smaller one each chunk moves the centre. */
const minForDistance = 16;

/** Number of chunks that represent all chunks of an agent. */
export const sampleSize = 256;

/** Measures the distribution of a sample of an agent's vectors, each of length 1. */
export function spreadOf(sample: readonly Float32Array[]): VectorSpread {
  const centre = meanOf(sample);
  const { mean, deviation } = similaritiesIn(sample);
  const own = sample.length / (sample.length + usual.weight);
  const unrelated = Math.min(maxUnrelated, own * mean + (1 - own) * usual.similarity);
  const unit = Math.max(minDeviation, own * deviation + (1 - own) * usual.deviation);
  const centreSquare = dotProduct(centre, centre);
  const distance = (vector: Float32Array): number =>
    Math.sqrt(Math.max(0, dotProduct(vector, vector) - 2 * dotProduct(vector, centre) + centreSquare));
  const typical = sample.reduce((sum, vector) => sum + distance(vector), 0) / sample.length;
  const isKnown = sample.length >= minForDistance && typical > 0;
  return {
    centre,
    distance,
    nearness: (cosine, ownDistance) => {
      const spread = isKnown && ownDistance ? Math.sqrt(ownDistance / typical) : 1;
      return (cosine / spread - unrelated) / unit + margin;
    },
  };
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  return dividedBy(sum, vectors.length);
}

/** Returns the mean and the standard deviation of the cosines between different vectors. */
function similaritiesIn(vectors: readonly Float32Array[]): { mean: number; deviation: number } {
  const every = Math.max(1, Math.ceil(vectors.length / compared));
  const some = vectors.filter((_, i) => i % every === 0);
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (const [i, vector] of some.entries()) {
    for (let j = i + 1; j < some.length; j++) {
      const cosine = dotProduct(vector, some[j] ?? vector);
      count++;
      sum += cosine;
      squares += cosine * cosine;
    }
  }
  if (count === 0) return { mean: usual.similarity, deviation: usual.deviation };
  const mean = sum / count;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}
