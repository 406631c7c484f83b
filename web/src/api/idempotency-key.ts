/** A new Idempotency-Key. `crypto.randomUUID` exists only on secure origins; plain http on another host has none. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
