import { AppError, type ErrorCode } from '../../core/errors.ts';

/** What can go wrong at a model provider, with the code and the explanation for the person who waits for the reply. */
const failures = {
  context_length: { code: 'context_length_exceeded' },
  request_too_large: {
    code: 'context_length_exceeded',
    message: 'The message and its history are too large for the model provider. Shorten the message.',
  },
  rate_limit: {
    code: 'rate_limited',
    message: 'The model provider is receiving too many requests. Try again in a moment.',
  },
  quota: {
    code: 'upstream_error',
    message: 'The quota of this service at the model provider is used up. Its operator has to renew it.',
  },
  credential: {
    code: 'upstream_error',
    message: "The model provider refused this service's credential. Its operator has to correct it.",
  },
  model: {
    code: 'upstream_error',
    message:
      'The model provider does not offer this model. Choose another model for the agent, or ask the operator to correct the configuration.',
  },
  rejected: {
    code: 'upstream_error',
    message: 'The model provider rejected the request as invalid. The operator of this service has to look into it.',
  },
  content_filter: {
    code: 'upstream_error',
    message: "The model provider's content filter stopped the reply. Rephrase the message.",
  },
  tool_call: {
    code: 'upstream_error',
    message: 'The model called a tool, which this agent does not have, instead of replying. Try again.',
  },
  overloaded: { code: 'upstream_error', message: 'The model provider is overloaded. Try again in a moment.' },
  fault: { code: 'upstream_error', message: 'The model provider reported a fault. Try again in a moment.' },
  timeout: { code: 'upstream_timeout' },
  unreachable: {
    code: 'upstream_error',
    message: 'The model provider could not be reached. Try again in a moment.',
  },
  broken_off: { code: 'upstream_error', message: 'The model provider broke off the reply. Try again.' },
  unknown_ending: {
    code: 'upstream_error',
    message: 'The model provider ended the reply for an unknown reason, so it may be incomplete. Try again.',
  },
  redirect: {
    code: 'upstream_error',
    message: "The model provider's address redirects elsewhere. The operator of this service has to correct it.",
  },
  web_page: {
    code: 'upstream_error',
    message:
      'A web page responded instead of the model provider. The operator of this service has to correct its address.',
  },
  malformed: {
    code: 'upstream_error',
    message:
      'The model provider sent a response in an unknown format. The operator of this service has to look into it.',
  },
  encoding: { code: 'upstream_error', message: 'The model provider sent a response in an unknown encoding.' },
  event_too_long: { code: 'upstream_error', message: 'The model provider sent an event of more than 1 MB.' },
  no_content: { code: 'upstream_error', message: 'The model provider sent an empty response. Try again.' },
  empty: { code: 'upstream_error', message: 'The model returned an empty reply. Try again.' },
  only_thoughts: {
    code: 'upstream_error',
    message: 'The model thought about the message, but wrote no reply. Try again.',
  },
  thoughts_too_long: {
    code: 'upstream_error',
    message:
      'The model used up its length limit by thinking and wrote no reply. Ask for less, or choose another model.',
  },
  vectors: { code: 'upstream_error', message: 'The model provider returned different vectors than requested.' },
} as const satisfies Record<string, { code: ErrorCode; message?: string }>;

export type FailureKind = keyof typeof failures;

/** Longest wait that is passed on to clients, in seconds. */
const maxRetryAfterSeconds = 86_400;

/**
 * A failure of a model provider. Neither message nor cause contains the provider's own text, which can quote the
 * credential or the host.
 */
export class ProviderError extends AppError {
  readonly kind: FailureKind;

  /** `retryAfterMs` is the wait that the provider requests, and `detail` describes the response for the log. */
  constructor(
    kind: FailureKind,
    { retryAfterMs, detail }: { retryAfterMs?: number | undefined; detail?: string } = {},
  ) {
    const failure: { code: ErrorCode; message?: string } = failures[kind];
    super(failure.code, {
      ...(failure.message !== undefined && { message: failure.message }),
      ...(retryAfterMs !== undefined && { retryAfterSeconds: secondsOf(retryAfterMs) }),
      cause: new Error(`model provider: ${kind}${detail ? `, ${detail}` : ''}`),
    });
    this.kind = kind;
  }
}

const secondsOf = (waitMs: number): number => Math.min(maxRetryAfterSeconds, Math.max(1, Math.ceil(waitMs / 1_000)));

/** Returns the kind of a failure, also of one that is the cause of another error; null for any other error. */
export function failureKind(error: unknown): FailureKind | null {
  for (let current = error; current instanceof Error; current = current.cause)
    if (current instanceof ProviderError) return current.kind;
  return null;
}
