import { createRequire } from 'node:module';
import type * as Argon2 from '@node-rs/argon2';

// By require, as the alias of vitest.config.ts stands for the imports.
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as typeof Argon2;

/** What OWASP names for argon2id. */
const required = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const cheap = { memoryCost: 64, timeCost: 1, parallelism: 1 };
let isFullCost = false;

/** For a test that measures: whether each hash and each comparison takes as long as it does in production. */
export const hashAtFullCost = (isFull: boolean): void => void (isFullCost = isFull);

/** A sign-up is half as dear with cheap hashes. @throws Error when the service asks for anything but what it must */
export async function hash(password: string, settings: Argon2.Options): Promise<string> {
  if (JSON.stringify(settings) !== JSON.stringify(required))
    throw new Error('passwords are hashed with other settings');
  return argon2.hash(password, isFullCost ? required : cheap);
}

export async function verify(hashed: string, password: string): Promise<boolean> {
  // The hash may be from before the test.
  if (isFullCost) await argon2.hash(password, required);
  return argon2.verify(hashed, password);
}
