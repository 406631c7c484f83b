/**
 * THE table of errors: every code that leaves the service, its HTTP status and its default public text.
 * GraphQL (`extensions.code`, upper case) and REST (`error.code`) both read it; the README repeats it and a
 * contract test compares the two.
 */
export const errorTable = {
  invalid_request: { status: 400, message: 'The request is not valid.' },
  invalid_token: { status: 400, message: 'The token is not valid, has expired or was used already.' },
  context_length_exceeded: {
    status: 400,
    message: 'The message is too long for the model of this agent.',
  },
  unauthenticated: { status: 401, message: 'A valid credential is required.' },
  invalid_credentials: { status: 401, message: 'The e-mail address or the password is wrong.' },
  insufficient_scope: { status: 403, message: 'The credential lacks a scope that this operation needs.' },
  plan_limit_exceeded: { status: 403, message: 'The limit of your plan is reached.' },
  account_scheduled_for_deletion: {
    status: 403,
    message: 'This account is scheduled for deletion. It can be restored until the grace period ends.',
  },
  not_found: { status: 404, message: 'There is no such thing, or it is not yours to see.' },
  method_not_allowed: { status: 405, message: 'This path does not support that method.' },
  email_taken: { status: 409, message: 'An account with this e-mail address exists already.' },
  username_taken: { status: 409, message: 'This username is taken.' },
  conflict: { status: 409, message: 'The request conflicts with the current state.' },
  generation_in_progress: {
    status: 409,
    message: 'The conversation is still being answered. Wait for the reply or stop it first.',
  },
  no_active_subscription: { status: 409, message: 'There is no paid subscription to change.' },
  subscription_exists: { status: 409, message: 'A paid subscription is running already.' },
  integration_inactive: { status: 409, message: 'The integration is not active.' },
  idempotency_in_progress: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running. Try again in a moment.',
  },
  payload_too_large: { status: 413, message: 'The request body is too large.' },
  unsupported_media_type: { status: 415, message: 'The media type of the request is not supported here.' },
  idempotency_mismatch: {
    status: 422,
    message: 'This Idempotency-Key was used with a different request body.',
  },
  rate_limited: { status: 429, message: 'Too many requests. Wait for the time given in Retry-After.' },
  internal_error: { status: 500, message: 'Something went wrong on our side.' },
  upstream_error: { status: 502, message: 'The model provider failed to answer.' },
  unavailable: { status: 503, message: 'The service is not available right now. Try again in a moment.' },
  upstream_timeout: { status: 504, message: 'The model provider took too long to answer.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** One fault in the input. `field` is a path in camelCase such as `events[0]`; REST turns it into snake_case. */
export interface ErrorDetail {
  field: string;
  code: string;
  message: string;
}

interface AppErrorOptions {
  /** Public text; the table's text when omitted. */
  message?: string;
  details?: ErrorDetail[];
  /** Seconds after which a try can succeed; sent as `Retry-After`. `usualWaitSeconds` unless said otherwise. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** For the codes whose answer always says when to come back: 429 and 503. */
const usualWaitSeconds: Readonly<Partial<Record<ErrorCode, number>>> = { rate_limited: 10, unavailable: 1 };

/** The one error that operations throw on purpose. Its message is public. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? errorTable[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds ?? usualWaitSeconds[code];
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** 404 with the one body that unknown, unparsable and foreign things share. */
export const notFound = (): AppError => new AppError('not_found');

/** 400 for a single field. */
export const invalidField = (field: string, code: string, message: string): AppError =>
  new AppError('invalid_request', { message, details: [{ field, code, message }] });
