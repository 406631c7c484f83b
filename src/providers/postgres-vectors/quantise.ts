/** A vector in one byte a number, and how far that can be off. */
export interface QuantisedVector {
  codes: Int8Array;
  /** What a code times is about the number. */
  scale: number;
  /** Length of what the codes leave out. */
  error: number;
}

const maxCode = 127;

/** The vector as bytes: `codes * scale`, which is off by `error` in length, rounding of the float32 included. */
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
  // Stored as float32: rounded up, never down.
  return { codes, scale, error: Math.fround(Math.sqrt(squares) * (1 + 1e-6)) };
}

/** A query in 16 bits a number, few enough that no sum of products leaves 32 bits. */
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

/** The vector at length 1; one of zeros stays. */
export function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}

export function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
