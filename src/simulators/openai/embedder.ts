import { hash, spacedPairs, stem, wordsOf } from './words.ts';

const wordWeight = 1;
const pairWeight = 0.6;
const gramWeight = 0.25;

/**
 * Computes a lexical embedding without model weights: stemmed words, pairs of adjacent words and groups of three and
 * four letters, each added to two dimensions with a sign, normalised to length 1. Texts that share words, even misspelt
 * ones, are near each other; synonyms are not. Deterministic.
 */
export function embed(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const counts = new Map<string, number>();
  const count = (feature: string, weight: number) => counts.set(feature, (counts.get(feature) ?? 0) + weight);
  let previous = '';
  for (const word of wordsOf(spacedPairs(text))) {
    const stemmed = stem(word);
    const weight = rarity(stemmed);
    count(`w ${stemmed}`, wordWeight * weight);
    if (previous) count(`p ${previous} ${stemmed}`, pairWeight * weight);
    previous = stemmed;
    const framed = `^${stemmed.slice(0, 40)}$`;
    for (const size of [3, 4]) {
      for (let i = 0; i + size <= framed.length; i++) count(`g ${framed.slice(i, i + size)}`, gramWeight * weight);
    }
  }
  for (const [feature, weight] of counts) {
    const value = Math.sqrt(weight);
    add(vector, hash(feature), value);
    add(vector, hash(feature, 0x9e3779b9), value);
  }
  return normalise(vector);
}

/** Returns the weight of a word. Short words are mostly grammatical. */
function rarity(word: string): number {
  if (word.length <= 2) return 0.2;
  return word.length === 3 ? 0.5 : 1;
}

function add(vector: Float32Array, h: number, value: number): void {
  const at = h % vector.length;
  vector[at] = (vector[at] ?? 0) + (h & 0x40000000 ? value : -value);
}

/** Normalises a vector to length 1. A text without words gets a fixed direction, because a zero vector has none. */
function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (length === 0) vector[0] = 1;
  else for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length;
  return vector;
}
