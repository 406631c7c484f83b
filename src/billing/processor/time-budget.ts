import { AppError } from '../../core/errors.ts';
import { withTimeout } from '../../core/waiting/with-timeout.ts';

const budgetMs = 9_000;

/**
 * Returns the result of work that calls the payment processor. A timeout does not stop the work, which is safe because
 * a repeated request would do the same.
 * @throws AppError `unavailable` when all its calls together take too long
 */
export const withinBudget = <Result>(work: () => Promise<Result>, timeoutMs = budgetMs): Promise<Result> =>
  withTimeout(work(), timeoutMs, () => {
    throw new AppError('unavailable', { retryAfterSeconds: 5 });
  });
