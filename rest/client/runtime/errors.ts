import type { ErrorCode } from './vocabulary.ts';

/** One invalid field of a request. `field` is a path such as `events[0]`. */
export interface ErrorDetail {
  field: string;
  code: string;
  message: string;
}

/** The service returned an error. `message` can be shown to the user. */
export class ApiError extends Error {
  /** HTTP status; null for an `error` event in a stream. */
  readonly status: number | null;
  readonly code: ErrorCode | 'cancelled';
  /** One item for each invalid field. */
  readonly details: readonly ErrorDetail[];
  /** Identifies the request in the service's logs. */
  readonly requestId: string | null;
  /** Seconds to wait before a retry, if the service returned them. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, fields: Omit<ApiError, keyof Error>) {
    super(message);
    this.name = 'ApiError';
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details;
    this.requestId = fields.requestId;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

/** No complete response after every retry. `cause` is the last failure. */
export class ConnectionError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ConnectionError';
  }
}

/** A webhook request that could not be verified. */
export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
  }
}

/** The error of a response with status 400 or above; a ConnectionError when the service did not send it. */
export async function errorOf(response: Response): Promise<ApiError | ConnectionError> {
  const text = await response.text();
  const error = envelopeOf(text);
  if (error === null) return new ConnectionError(`Answered ${response.status}, and not by the service.`);
  return new ApiError(error.message, {
    status: response.status,
    code: error.code,
    details: error.details ?? [],
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
  });
}

interface Envelope {
  code: ErrorCode;
  message: string;
  details?: ErrorDetail[];
}

function envelopeOf(text: string): Envelope | null {
  try {
    const { error } = JSON.parse(text) as { error?: Partial<Envelope> };
    return typeof error?.code === 'string' && typeof error.message === 'string' ? (error as Envelope) : null;
  } catch {
    return null;
  }
}

function secondsOf(header: string | null): number | null {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
