/** A vector in one byte a dimension. */
export interface QuantisedVector {
  codes: Int8Array;
  /** `code * scale` approximates a component. */
  scale: number;
  /** Length of the difference between the vector and its approximation. */
  error: number;
}

const maxCode = 127;

/** Quantises a vector to bytes. `error` includes float32 rounding. */
export function quantise(vector: Float32Array): QuantisedVector {
  const scale = Math.fround(largestOf(vector) / maxCode) || 1;
  const codes = new Int8Array(vector.length);
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] ?? 0;
    const code = Math.max(-maxCode, Math.min(maxCode, Math.round(value / scale)));
    codes[i] = code;
    squares += (value - code * scale) ** 2;
  }
  // Stored as float32: round up, never down.
  return { codes, scale, error: Math.fround(Math.sqrt(squares) * (1 + 1e-6)) };
}

/** Quantises a query to at most 16 bits a dimension, fewer where a sum of products could exceed 32 bits. */
export function quantiseQuery(vector: Float32Array): {
  codes: Int16Array;
  scale: number;
  error: number;
  length: number;
} {
  const most = Math.min(32_767, Math.floor(2 ** 31 / (maxCode * vector.length)) - 1);
  const scale = largestOf(vector) / most || 1;
  const codes = new Int16Array(vector.length);
  let squares = 0;
  let length = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] ?? 0;
    const code = Math.round(value / scale);
    codes[i] = code;
    squares += (value - code * scale) ** 2;
    length += value ** 2;
  }
  return { codes, scale, error: Math.sqrt(squares), length: Math.sqrt(length) };
}

function largestOf(vector: Float32Array): number {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  return most;
}
