import { texts } from './texts.ts';

export interface FieldError {
  /** Path in camelCase, such as `events[0]`. */
  field: string;
  code: string;
  message: string;
}

interface ApiErrorOptions {
  details?: FieldError[] | undefined;
  retryAfterSeconds?: number | undefined;
  requestId?: string | null | undefined;
}

/** A refusal of the service, or `OFFLINE` when it could not be reached. The message is written for people. */
export class ApiError extends Error {
  readonly code: string;
  readonly details: FieldError[];
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | null;

  constructor(code: string, message: string, { details, retryAfterSeconds, requestId }: ApiErrorOptions = {}) {
    super(message);
    this.name = 'ApiError';
    this.code = code.toUpperCase();
    this.details = (details ?? []).map((detail) => ({ ...detail, message: capitalized(detail.message) }));
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId ?? null;
  }
}

/** The service names the field before its message; here the message is below the field, on its own. */
const capitalized = (message: string): string => message.charAt(0).toUpperCase() + message.slice(1);

/** Any thrown value as an ApiError, so that screens show one kind of error. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof TypeError && /fetch|network|load failed/i.test(thrown.message)) return offline();
  return new ApiError('INTERNAL_ERROR', texts.somethingWentWrongPage);
}

export const offline = (): ApiError => new ApiError('OFFLINE', texts.serviceCantReachedCheck);

/** Whether the same request can succeed later without a change. */
export const isTransient = ({ code }: ApiError): boolean =>
  code === 'OFFLINE' || code === 'UNAVAILABLE' || code === 'RATE_LIMITED' || code === 'IDEMPOTENCY_IN_PROGRESS';

/** Whether another plan would allow it. What is counted by the day has the code of every rate; only its words tell. */
export const isPlanLimit = ({ code, message }: ApiError): boolean =>
  code === 'PLAN_LIMIT_EXCEEDED' || (code === 'RATE_LIMITED' && message.startsWith('Your plan '));
