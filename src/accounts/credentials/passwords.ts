import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { AppError } from '../../core/errors.ts';

const settings = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const maxWaiting = 50;
// Each hash occupies a core; running more concurrently would only slow down everything else.
const limit = pLimit(2);

/**
 * Hashes a password with argon2id, off the event loop. Returns the PHC string format.
 * @throws AppError `rate_limited` when too many are waiting
 */
export const hashPassword = (password: string): Promise<string> => queued(() => hash(password, settings));

const unknownUserHash = hash('no user has this password', settings);

/**
 * Returns whether the password matches the hash. Without a hash it takes as long and returns false, so that timing does
 * not reveal whether an account exists.
 * @throws AppError `rate_limited` when too many are waiting
 */
export const verifyPassword = (passwordHash: string | undefined, password: string): Promise<boolean> =>
  queued(async () => (await verify(passwordHash ?? (await unknownUserHash), password)) && passwordHash !== undefined);

function queued<T>(work: () => Promise<T>): Promise<T> {
  if (limit.pendingCount >= maxWaiting) throw new AppError('rate_limited', { retryAfterSeconds: 2 });
  return limit(work);
}
