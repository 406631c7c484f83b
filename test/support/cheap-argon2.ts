import { createRequire } from 'node:module';
import type * as Argon2 from '@node-rs/argon2';

// By `require`, because the alias in vitest.config.ts redirects imports to this file.
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as typeof Argon2;

/** The minimum that OWASP recommends for argon2id. */
const required = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const cheap = { memoryCost: 64, timeCost: 1, parallelism: 1 };
let isFullCost = false;

/** Sets whether hashing and verifying take as long as in production, for tests that measure time. */
export const hashAtFullCost = (isFull: boolean): void => void (isFullCost = isFull);

/** Hashes cheaply, which halves the time of a sign-up. @throws Error when the requested settings are not `required` */
export async function hash(password: string, settings: Argon2.Options): Promise<string> {
  if (JSON.stringify(settings) !== JSON.stringify(required))
    throw new Error('passwords are hashed with other settings');
  return argon2.hash(password, isFullCost ? required : cheap);
}

export async function verify(hashed: string, password: string): Promise<boolean> {
  // The stored hash may be a cheap one from before the test.
  if (isFullCost) await argon2.hash(password, required);
  return argon2.verify(hashed, password);
}
