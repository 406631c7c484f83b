/** Returns the vector scaled to length 1; a zero vector unchanged. */
export function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dotProduct(vector, vector));
  return length === 0 ? vector : dividedBy(vector, length);
}

export function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Returns the vector with each component divided by the number. */
export function dividedBy(vector: Float32Array, divisor: number): Float32Array {
  const quotient = new Float32Array(vector.length);
  for (let i = 0; i < vector.length; i++) quotient[i] = (vector[i] ?? 0) / divisor;
  return quotient;
}
