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

/** An error from the service, or `OFFLINE` when it could not be reached. The message can be shown to the user. */
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

/** The service prefixes messages with the field's name. The console shows them below the field, without the prefix. */
const capitalized = (message: string): string => message.charAt(0).toUpperCase() + message.slice(1);

/** Converts any thrown value to an ApiError, so that screens handle one kind of error. */
export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof TypeError && /fetch|network|load failed/i.test(thrown.message)) return offline();
  return new ApiError('INTERNAL_ERROR', texts.somethingWentWrongPage);
}

export const offline = (): ApiError => new ApiError('OFFLINE', texts.serviceCantReachedCheck);

/** Whether the same request can succeed later, unchanged. */
export const isTransient = ({ code }: ApiError): boolean =>
  code === 'OFFLINE' || code === 'UNAVAILABLE' || code === 'RATE_LIMITED' || code === 'IDEMPOTENCY_IN_PROGRESS';

/** Whether another plan would allow it. Daily quotas share their code with rate limits; only the message differs. */
export const isPlanLimit = ({ code, message }: ApiError): boolean =>
  code === 'PLAN_LIMIT_EXCEEDED' || (code === 'RATE_LIMITED' && message.startsWith('Your plan '));
