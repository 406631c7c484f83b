import { AppError } from '../../core/errors.ts';

const failuresToOpen = 3;
const openForMs = 5_000;

/**
 * Creates a circuit breaker: after three consecutive failures, calls fail at once for five seconds instead of timing
 * out.
 */
export function createBreaker(
  now: () => number = () => performance.now(),
): <Result>(call: () => Promise<Result>) => Promise<Result> {
  let failures = 0;
  let openUntil = -Infinity;
  return async (call) => {
    if (now() < openUntil) throw new AppError('unavailable');
    try {
      const result = await call();
      failures = 0;
      return result;
    } catch (error) {
      failures++;
      if (failures >= failuresToOpen) openUntil = now() + openForMs;
      throw error;
    }
  };
}
