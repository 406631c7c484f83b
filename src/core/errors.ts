/**
 * All error codes of the service with their HTTP status and default public message. GraphQL (`extensions.code`, in
 * upper case) and REST (`error.code`) both use this table; docs/api.md repeats it, and a contract test compares the
 * two.
 */
export const errorTable = {
  invalid_request: { status: 400, message: 'The request is not valid.' },
  invalid_token: { status: 400, message: 'The token is invalid, expired or already used.' },
  context_length_exceeded: {
    status: 400,
    message: 'The message is too long for this agent’s model.',
  },
  unauthenticated: { status: 401, message: 'A valid credential is required.' },
  invalid_credentials: { status: 401, message: 'The e-mail address or the password is wrong.' },
  forbidden: { status: 403, message: 'Your role does not allow that.' },
  insufficient_scope: { status: 403, message: 'The credential lacks a scope that this operation needs.' },
  plan_limit_exceeded: { status: 403, message: 'You have reached a limit of your plan.' },
  account_scheduled_for_deletion: {
    status: 403,
    message: 'This account is scheduled for deletion. You can restore it until the grace period ends.',
  },
  not_found: { status: 404, message: 'The resource does not exist or you do not have access to it.' },
  method_not_allowed: { status: 405, message: 'This path does not support this method.' },
  not_acceptable: { status: 406, message: 'This path serves event streams only. Accept text/event-stream.' },
  email_taken: { status: 409, message: 'An account with this e-mail address already exists.' },
  username_taken: { status: 409, message: 'This username is already taken.' },
  conflict: { status: 409, message: 'The request conflicts with the current state.' },
  generation_in_progress: {
    status: 409,
    message: 'A reply is still being written in this conversation. Wait for it or stop it first.',
  },
  no_active_subscription: { status: 409, message: 'There is no paid subscription to change.' },
  subscription_exists: { status: 409, message: 'There is already a paid subscription.' },
  integration_inactive: { status: 409, message: 'The integration is not active.' },
  idempotency_in_progress: {
    status: 409,
    message: 'The first request with this Idempotency-Key is still running. Try again in a moment.',
  },
  payload_too_large: { status: 413, message: 'The request body is too large.' },
  unsupported_media_type: { status: 415, message: 'The media type of the request body is not supported.' },
  idempotency_mismatch: {
    status: 422,
    message: 'This Idempotency-Key was used with a different request body.',
  },
  upgrade_required: {
    status: 426,
    message: 'This path is a WebSocket. Send the headers Connection: Upgrade and Upgrade: websocket.',
  },
  rate_limited: { status: 429, message: 'Too many requests. Wait for the time in the Retry-After header.' },
  internal_error: { status: 500, message: 'Something went wrong on our side.' },
  upstream_error: { status: 502, message: 'The model provider returned an error.' },
  unavailable: { status: 503, message: 'The service is temporarily unavailable. Try again in a moment.' },
  upstream_timeout: { status: 504, message: 'The model provider took too long to respond.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** One invalid field. `field` is a path in camelCase such as `events[0]`; REST converts it to snake_case. */
export interface ErrorDetail {
  field: string;
  code: string;
  message: string;
}

interface AppErrorOptions {
  /** Public message. Defaults to the message in the table. */
  message?: string;
  details?: ErrorDetail[];
  /** Seconds to wait before a retry, sent as `Retry-After`. Defaults to `usualWaitSeconds`. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** Default waiting times of codes whose responses always have `Retry-After`. */
const usualWaitSeconds: Readonly<Partial<Record<ErrorCode, number>>> = { rate_limited: 10, unavailable: 1 };

/** Error that operations throw deliberately. Its message is public. */
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

/** Returns 404 with the same body for unknown ids, malformed ids and other users' resources. */
export const notFound = (): AppError => new AppError('not_found');

/** Returns 400 for a single field. */
export const invalidField = (field: string, code: string, message: string): AppError =>
  new AppError('invalid_request', { message, details: [{ field, code, message }] });
