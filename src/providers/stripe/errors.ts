import type Stripe from 'stripe';
import { AppError } from '../../core/errors.ts';

/** Fields of the SDK's errors. Importing its error classes would load the whole SDK at startup. */
type Failure = Pick<Stripe.errors.StripeError, 'type' | 'code' | 'param' | 'statusCode' | 'requestId'>;

const retryAfterSeconds = 5;

/**
 * Maps a failed call to an error for our callers. The cause has Stripe's type, code and request id for the log, never its
 * text, which can quote a credential.
 */
export function toAppError(error: unknown): unknown {
  if (error instanceof AppError || !isFailure(error)) return error;
  const { type, code } = error;
  const cause = new Error(`payment processor: ${reasonOf(error)}`);
  if (type === 'StripeCardError') {
    const message = 'The payment was declined. Choose another payment method in the portal and try again.';
    return new AppError('conflict', { message, cause });
  }
  if (code === 'resource_missing') {
    const message = 'The subscription has changed at the payment processor. Try again in a moment.';
    return new AppError('conflict', { message, cause });
  }
  // Any other invalid request is a bug in this service.
  if (type === 'StripeInvalidRequestError') return cause;
  return new AppError('unavailable', {
    message: 'The payment processor is not responding. Try again in a moment.',
    retryAfterSeconds,
    cause,
  });
}

/** Returns the reason for a failed call without Stripe's own text. */
export function reasonOf(error: unknown): string {
  if (!isFailure(error)) return error instanceof Error ? error.name : 'unknown error';
  const { type, code, statusCode, requestId } = error;
  return `${type}, status ${statusCode ?? 'none'}, code ${code ?? 'none'}, request ${requestId ?? 'unknown'}`;
}

/** Returns whether Stripe does not know the object of the call. */
export const isMissing = (error: unknown): boolean => isFailure(error) && error.code === 'resource_missing';

/** Returns whether Stripe does not know the customer of the call: it was deleted, or belongs to another account. */
export const isMissingCustomer = (error: unknown): boolean =>
  isFailure(error) && isMissing(error) && error.param === 'customer';

/** Returns whether Stripe refuses the call because of the state of its object. */
export const isInvalidRequest = (error: unknown): boolean =>
  isFailure(error) && error.type === 'StripeInvalidRequestError';

/** Returns whether Stripe rejects the key: it is unknown, revoked, or lacks read permission. */
export const isRefusedKey = (error: unknown): boolean =>
  isFailure(error) && (error.type === 'StripeAuthenticationError' || error.type === 'StripePermissionError');

const isFailure = (error: unknown): error is Failure =>
  error instanceof Error && 'type' in error && typeof error.type === 'string' && error.type.startsWith('Stripe');
