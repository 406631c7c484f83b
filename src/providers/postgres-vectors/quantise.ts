/** A vector with one byte per dimension. */
export interface QuantisedVector {
  codes: Int8Array;
  /** Factor by which a code is multiplied to approximate the component. */
  scale: number;
}

const maxCode = 127;

/** Quantises a vector to one signed byte per dimension. */
export function quantise(vector: Float32Array): QuantisedVector {
  const scale = Math.fround(largestOf(vector) / maxCode) || 1;
  const codes = new Int8Array(vector.length);
  for (let i = 0; i < vector.length; i++) {
    codes[i] = Math.max(-maxCode, Math.min(maxCode, Math.round((vector[i] ?? 0) / scale)));
  }
  return { codes, scale };
}

/** Quantises a query to at most 16 bits per dimension, and to fewer if a sum of products could exceed 32 bits. */
export function quantiseQuery(vector: Float32Array): { codes: Int16Array; scale: number } {
  const maxQueryCode = Math.min(32_767, Math.floor(2 ** 31 / (maxCode * vector.length)) - 1);
  const scale = largestOf(vector) / maxQueryCode || 1;
  const codes = new Int16Array(vector.length);
  for (let i = 0; i < vector.length; i++) codes[i] = Math.round((vector[i] ?? 0) / scale);
  return { codes, scale };
}

function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  return largest;
}
