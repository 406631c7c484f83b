import { AppError } from '../../core/errors.ts';
import { withTimeout } from '../../core/waiting/with-timeout.ts';

const budgetMs = 9_000;

/**
 * The result of work that needs the payment processor. The work is not stopped by the timeout: what it still does is what
 * a repeated request would do again. @throws AppError `unavailable` when all its calls together take too long
 */
export const withinBudget = <Result>(work: () => Promise<Result>, timeoutMs = budgetMs): Promise<Result> =>
  withTimeout(work(), timeoutMs, () => {
    throw new AppError('unavailable', { retryAfterSeconds: 5 });
  });
