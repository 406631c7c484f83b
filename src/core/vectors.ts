/** Returns the vector scaled to length 1. Returns a zero vector unchanged. */
export function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dotProduct(vector, vector));
  return length === 0 ? vector : dividedBy(vector, length);
}

/**
 * Returns the dot product. Uses four independent sums, because each addition to a single one would wait for the
 * previous one.
 */
export function dotProduct(a: Float32Array, b: Float32Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  const whole = a.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    first += (a[i] ?? 0) * (b[i] ?? 0);
    second += (a[i + 1] ?? 0) * (b[i + 1] ?? 0);
    third += (a[i + 2] ?? 0) * (b[i + 2] ?? 0);
    fourth += (a[i + 3] ?? 0) * (b[i + 3] ?? 0);
  }
  for (let i = whole; i < a.length; i++) first += (a[i] ?? 0) * (b[i] ?? 0);
  return first + second + third + fourth;
}

/** Returns the vector with each component divided by `divisor`. */
export function dividedBy(vector: Float32Array, divisor: number): Float32Array {
  const quotient = new Float32Array(vector.length);
  for (let i = 0; i < vector.length; i++) quotient[i] = (vector[i] ?? 0) / divisor;
  return quotient;
}
