import type Stripe from 'stripe';
import { AppError } from '../../core/errors.ts';

/** The SDK's errors by what they carry: loading its classes here would load all of it at the start. */
type Failure = Pick<Stripe.errors.StripeError, 'type' | 'code' | 'statusCode' | 'requestId'>;

const retryAfterSeconds = 5;

/**
 * What a failed call means to our callers. The cause says type, code and request id for the log, never Stripe's own
 * text, which can quote a credential.
 */
export function toAppError(error: unknown): unknown {
  if (error instanceof AppError || !isFailure(error)) return error;
  const { type, code, statusCode, requestId } = error;
  const cause = new Error(
    `payment processor: ${type}, status ${statusCode ?? 'none'}, code ${code ?? 'none'}, request ${requestId ?? 'unknown'}`,
  );
  if (type === 'StripeCardError') {
    const message = 'The payment was declined. Choose another payment method in the portal and try again.';
    return new AppError('conflict', { message, cause });
  }
  if (code === 'resource_missing') {
    const message = 'The subscription has changed at the payment processor meanwhile. Try again in a moment.';
    return new AppError('conflict', { message, cause });
  }
  // Anything else that Stripe refuses as invalid is a fault of ours.
  if (type === 'StripeInvalidRequestError') return cause;
  return new AppError('unavailable', {
    message: 'The payment processor does not answer right now. Try again in a moment.',
    retryAfterSeconds,
    cause,
  });
}

export const isMissing = (error: unknown): boolean => isFailure(error) && error.code === 'resource_missing';

const isFailure = (error: unknown): error is Failure =>
  error instanceof Error && 'type' in error && typeof error.type === 'string' && error.type.startsWith('Stripe');
