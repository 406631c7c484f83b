import { APIConnectionTimeoutError, APIError } from 'openai/error';
import { AppError } from '../../core/errors.ts';

/**
 * Maps a failed call to the provider to an error for our callers. Neither message nor cause contains the provider's own
 * text, which can quote the credential or the host. The cause has the status, code and request id for the log.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const cause = new Error(describe(error));
  if (error instanceof APIConnectionTimeoutError) return new AppError('upstream_timeout', { cause });
  if (!(error instanceof APIError)) return new AppError('upstream_error', { cause });
  const status = statusOf(error);
  if (isContextLength(error)) return new AppError('context_length_exceeded', { cause });
  if (status === 429) {
    const message = 'The model provider is receiving too many requests. Try again in a moment.';
    return new AppError('rate_limited', { message, retryAfterSeconds: retryAfterSeconds(error), cause });
  }
  if (status === 401 || status === 403) {
    const message = "The model provider refused this service's credential. Its operator has to correct it.";
    return new AppError('upstream_error', { message, cause });
  }
  return new AppError('upstream_error', { cause });
}

/**
 * Returns whether the same request may succeed later: there was no response, or the provider reported an overload or a
 * fault.
 */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof APIError) || error.code === 'insufficient_quota') return false;
  if (header(error, 'x-should-retry') === 'false') return false;
  return (
    error.status === undefined ||
    error.status === 408 ||
    error.status === 409 ||
    error.status === 429 ||
    error.status >= 500
  );
}

/** Returns the delay that the provider requests, in milliseconds; undefined if it requests none. */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof APIError)) return undefined;
  const delayMs = requestedDelayMs(error);
  return Number.isFinite(delayMs) ? Math.max(0, delayMs) : undefined;
}

/** Parses the delay in the headers. Returns NaN if there is none or it is malformed. */
function requestedDelayMs(error: APIError): number {
  const ms = header(error, 'retry-after-ms');
  if (ms) return Number(ms);
  const secondsOrDate = header(error, 'retry-after');
  if (!secondsOrDate) return Number.NaN;
  if (/^[\d.]+$/.test(secondsOrDate)) return Number(secondsOrDate) * 1_000;
  return Date.parse(secondsOrDate) - Date.now();
}

/** Returns a header of an error response. The SDK types the headers as `any`. */
const header = (error: APIError, name: string): string | null =>
  (error.headers as Headers | undefined)?.get(name) ?? null;

const fallbackRetrySeconds = 10;

const retryAfterSeconds = (error: unknown): number => {
  const wait = retryAfterMs(error);
  return wait === undefined ? fallbackRetrySeconds : Math.max(1, Math.ceil(wait / 1_000));
};

/**
 * Returns the status of an error. An error inside a stream has no HTTP status, only the fields of its body; some
 * providers put a status in `code`.
 */
function statusOf({ status, code, type }: APIError): number | undefined {
  if (status !== undefined) return status;
  if (/^\d{3}$/.test(String(code))) return Number(code);
  return [code, type].some((word) => /^(rate_limit\w*|insufficient_quota|tokens|requests)$/.test(String(word)))
    ? 429
    : undefined;
}

/**
 * Returns whether the context length was exceeded. OpenAI has a code for it; other providers of the same protocol only
 * describe it in the message.
 */
const isContextLength = ({ code, message, status }: APIError): boolean =>
  code === 'context_length_exceeded' ||
  ((status === undefined || status === 400) &&
    /maximum context length|context (window|length) exceeded|exceeds? the context/i.test(message));

function describe(error: unknown): string {
  if (error instanceof APIError) {
    const { status, code, type, requestID } = error;
    return `model provider: status ${status ?? 'none'}, code ${code ?? errorCode(error.cause) ?? 'none'}, type ${type ?? 'none'}, request ${requestID ?? 'unknown'}`;
  }
  return `model provider: ${error instanceof Error ? error.name : 'failure'}, code ${errorCode(error) ?? 'none'}`;
}

/**
 * Finds a code such as `ECONNREFUSED` in the chain of causes, where fetch puts it. Returns only the code, because the
 * messages contain the host.
 */
function errorCode(error: unknown): string | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string') return current.code;
  }
  return undefined;
}
