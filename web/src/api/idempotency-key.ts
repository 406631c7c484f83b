/** Creates an Idempotency-Key. `crypto.randomUUID` is undefined on plain HTTP, except on localhost. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
