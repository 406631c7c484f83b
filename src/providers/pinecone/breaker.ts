import { AppError } from '../../core/errors.ts';

const failuresToOpen = 3;
const openForMs = 5_000;

/** After three failures in a row, calls fail at once for five seconds instead of each waiting for its time to run out. */
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
