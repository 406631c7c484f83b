import { APIConnectionTimeoutError, APIError } from 'openai/error';
import { AppError } from '../../core/errors.ts';
import { type FailureKind, ProviderError } from './failures.ts';

/** Maps a failed call to the provider to an error for our callers, by the kind of the failure. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // The SDK wraps what its fetch throws.
  if (error instanceof APIError && error.cause instanceof AppError) return error.cause;
  return new ProviderError(kindOf(error), { retryAfterMs: retryAfterMs(error), detail: describe(error) });
}

/**
 * Returns whether the same request may succeed later: there was no response, or the provider reported an overload or a
 * fault.
 */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof APIError)) return false;
  if (header(error, 'x-should-retry') === 'false') return false;
  return error.status === 409 || retryable.includes(kindOf(error));
}

const retryable: readonly FailureKind[] = ['rate_limit', 'overloaded', 'fault', 'timeout', 'unreachable'];

/** What classifies a failure: status, and the provider's own words in lower case. */
interface Facts {
  /** HTTP status, or the status that an error inside a stream has instead; undefined when there is none. */
  status: number | undefined;
  /** Code and type, separated by blanks. */
  names: string;
  message: string;
}

/** Statuses with which providers refuse a prompt that is too long. An error inside a stream has none. */
const refusals: readonly (number | undefined)[] = [undefined, 400, 413, 422, 500];

/**
 * How providers say that a prompt is too long for the model. OpenAI and some others have a code for it; the rest only
 * describe it.
 */
const contextMessages: readonly RegExp[] = [
  // OpenAI, vLLM, DeepSeek, Mistral
  /maximum context length|context (window|length|size) (is |was )?exceed|exceeds? (the |its )?(available )?context|exceeds? (max(imum)? )?context/,
  // Anthropic
  /prompt is too long|input length and `?max_tokens`? exceed/,
  // Gemini
  /input token count .{0,40}exceeds|exceeds the maximum number of tokens/,
  // llama.cpp, LM Studio
  /context size|context (the )?overflows|greater than the context length|loaded with context length of only/,
  // vLLM
  /longer than the maximum model length|too long to fit into the model/,
  // TGI, Together
  /`?inputs`? (tokens \+ `?max_new_tokens`? )?must (be <=|have less than)/,
  // xAI
  /maximum prompt length/,
  // Bedrock
  /input is too long/,
  // Cohere, Moonshot, Qwen, MiniMax, Groq
  /too many tokens|exceeded model token limit|range of input length|context window exceeds|reduce the length of the messages/,
  // Ollama
  /prompt too long/,
];

/** The kinds of failures in the order in which they are tested: the first one that matches is the kind. */
const kinds: readonly (readonly [FailureKind, (facts: Facts) => boolean])[] = [
  [
    'context_length',
    ({ status, names, message }) =>
      /context_length_exceeded|exceed_context_size/.test(names) ||
      (refusals.includes(status) && contextMessages.some((pattern) => pattern.test(message))),
  ],
  [
    'content_filter',
    ({ names, message }) =>
      /content_filter|content_policy|moderation_blocked|responsibleai/.test(names) ||
      /responsibleaipolicyviolation|content management policy|content_filter|moderation/.test(message),
  ],
  [
    'quota',
    ({ status, names, message }) =>
      status === 402 ||
      /insufficient_quota|insufficient_balance|billing/.test(names) ||
      /credit balance|insufficient (balance|credits?|funds)|billing hard limit|quota (is )?(exhausted|used up)/.test(
        message,
      ),
  ],
  ['rate_limit', ({ status }) => status === 429],
  ['credential', ({ status }) => status === 401 || status === 403],
  ['web_page', ({ status, names }) => (status ?? 500) < 500 && /web_page/.test(names)],
  ['model', ({ status, names }) => status === 404 || /model_not_found/.test(names)],
  ['request_too_large', ({ status }) => status === 413],
  ['timeout', ({ status }) => status === 408 || status === 504 || status === 524],
  ['overloaded', ({ status, names }) => status === 503 || status === 529 || /overloaded/.test(names)],
  ['redirect', ({ status = 0 }) => status >= 300 && status < 400],
  ['rejected', ({ status = 0 }) => status >= 400 && status < 500],
  ['fault', () => true],
];

function kindOf(error: unknown): FailureKind {
  if (error instanceof APIConnectionTimeoutError) return 'timeout';
  if (!(error instanceof APIError)) return isDefect(error) ? 'malformed' : 'broken_off';
  // Only an error inside a stream has no status and a body.
  if (error.status === undefined && error.error === undefined) return 'unreachable';
  const facts = factsOf(error);
  return kinds.find(([, matches]) => matches(facts))?.[0] ?? 'fault';
}

/** Returns whether reading a response failed because of what it contains. A network failure has a code. */
const isDefect = (error: unknown): boolean =>
  (error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError) &&
  errorCode(error) === undefined;

function factsOf(error: APIError): Facts {
  const names = `${error.code ?? ''} ${error.type ?? ''}`.toLowerCase();
  return { status: error.status ?? statusIn(names), names, message: error.message.toLowerCase() };
}

/** Names of errors inside a stream, with the status that such an error has otherwise. */
const namedStatuses: readonly (readonly [RegExp, number])[] = [
  [/rate_limit|too_many_requests|\btokens\b|\brequests\b|resource_exhausted/, 429],
  [/authentication|invalid_api_key|permission|unauthenticated/, 401],
  [/overloaded|unavailable/, 503],
  [/timeout|deadline_exceeded/, 504],
  [/invalid_request|invalid_argument/, 400],
];

/** Returns the status of an error inside a stream, which some providers put in `code`. */
const statusIn = (names: string): number | undefined =>
  Number(/\b[345]\d\d\b/.exec(names)?.[0]) || namedStatuses.find(([pattern]) => pattern.test(names))?.[1];

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

/** Longest code or type that is logged. Longer ones are texts, which can quote the credential. */
const maxName = 60;

function describe(error: unknown): string {
  if (error instanceof APIError) {
    const { status, code, type, requestID } = error;
    return `status ${status ?? 'none'}, code ${name(code) ?? errorCode(error.cause) ?? 'none'}, type ${name(type) ?? 'none'}, request ${requestID ?? 'unknown'}`;
  }
  return `${error instanceof Error ? error.name : 'failure'}, code ${errorCode(error) ?? 'none'}`;
}

const name = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= maxName && /^[\w.-]+$/.test(value) ? value : undefined;

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
