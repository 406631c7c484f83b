import { AppError } from '../core/errors.ts';

const budgetMs = 9_000;

/**
 * The result of work that needs the processor, or `unavailable` when all its calls together take too long. The work is
 * not stopped: what it still does is what the same request would do again. @throws AppError `unavailable`
 */
export async function withinBudget<T>(work: () => Promise<T>, timeoutMs = budgetMs): Promise<T> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new AppError('unavailable', { retryAfterSeconds: 5 })), timeoutMs);
  const result = work();
  // Once the limit has answered, a failure of the work is nobody's any more.
  result.catch(() => undefined);
  try {
    return await Promise.race([result, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
