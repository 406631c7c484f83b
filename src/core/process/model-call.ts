import { AsyncLocalStorage } from 'node:async_hooks';

/** Target of a request to a model, which names the telemetry span of the request. */
export interface ModelCall {
  /** Vendor or protocol, as named by OpenTelemetry. */
  provider: string;
  model: string | null;
  /** Resolves once the response was read, with what it reports; null when the call failed. Never rejects. */
  result?: Promise<ModelResult | null>;
}

/** What a model reports about its response. Counts are tokens. */
export interface ModelResult {
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  /** How the response ended. */
  finishReason?: string;
}

/** Set while a provider sends a request to a model. */
export const modelCall = new AsyncLocalStorage<ModelCall>();

/**
 * Runs a call to a model, with the result for its telemetry span.
 * @throws what `work` throws
 */
export async function runModelCall<Result>(
  target: Pick<ModelCall, 'provider' | 'model'>,
  work: () => Promise<Result>,
  resultOf: (result: Result) => ModelResult,
): Promise<Result> {
  const settled = Promise.withResolvers<ModelResult | null>();
  try {
    const result = await modelCall.run({ ...target, result: settled.promise }, work);
    settled.resolve(resultOf(result));
    return result;
  } finally {
    settled.resolve(null);
  }
}
