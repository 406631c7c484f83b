/**
 * Returns what `promise` resolves to, or what `onTimeout` returns (or throws) after `timeoutMs`. The work of the
 * promise is not stopped; pass it a signal if possible. A rejection after the timeout is swallowed.
 */
export async function withTimeout<Result, Late = never>(
  promise: Promise<Result>,
  timeoutMs: number,
  onTimeout: () => Late,
): Promise<Result | Late> {
  const late = Promise.withResolvers<Late>();
  const timer = setTimeout(() => {
    try {
      late.resolve(onTimeout());
    } catch (error) {
      late.reject(error as Error);
    }
  }, timeoutMs);
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
