import { AppError } from '../errors.ts';

const maxLength = 500;

const credentials = /\b(?:ak|rt|vt|rst|whsec|sk|pk|rk|xox[a-z]|Bearer|Bot|Basic)[-_ ][\w.~+/=-]{6,}/gi;
const passwordInUrl = /\/\/[^\s/@:]*:[^\s/@]+@/g;
const longEnoughForASecret = /[\w+/=-]{32,}/g;
const id = /^([a-z]+_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns an error as text that can be stored with a task: type and message, truncated, with probable secrets redacted.
 */
export function describeError(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`.slice(0, maxLength);
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text
    .slice(0, 4 * maxLength)
    .replace(credentials, '[redacted]')
    .replace(passwordInUrl, '//[redacted]@')
    .replace(longEnoughForASecret, (word) => (id.test(word) ? word : '[redacted]'))
    .slice(0, maxLength);
}
