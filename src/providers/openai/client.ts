import type OpenAI from 'openai';
import { outgoingFetch } from '../../core/http/outgoing.ts';
import { lazy } from '../../core/lazy.ts';
import { modelCall } from '../../core/process/model-call.ts';
import { withReadableError } from './read-error.ts';

export interface OpenAiOptions {
  apiKey: string;
  /** Base URL of an OpenAI-compatible provider, ending in its version such as `/v1`; null for OpenAI itself. */
  baseUrl: string | null;
}

/**
 * Creates the SDK's client at first use, because the SDK takes 100 ms to load. The client neither retries nor times out: its
 * retries have no time budget and its timeout covers only the headers, so the adapters do both.
 */
export function openAiClient({ apiKey, baseUrl }: OpenAiOptions, fetch?: typeof outgoingFetch): () => Promise<OpenAI> {
  return lazy(async () => {
    const { default: Client } = await import('openai');
    return new Client({
      apiKey,
      baseURL: baseUrl ?? 'https://api.openai.com/v1',
      maxRetries: 0,
      timeout: 2_147_483_647,
      logLevel: 'off',
      fetch: async (input, init) => {
        const target = modelCall.getStore() ?? { provider: 'openai', model: modelOf(init?.body) };
        const response = await modelCall.run(target, () => (fetch ?? outgoingFetch)(input, init));
        return response.ok ? response : withReadableError(response);
      },
      // Null prevents the SDK from reading the environment.
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
    });
  });
}

/** Returns the model that a request body names. The SDK writes the field near the start of the JSON. */
function modelOf(body: unknown): string | null {
  if (body instanceof FormData) {
    const model = body.get('model');
    return typeof model === 'string' ? model : null;
  }
  return typeof body === 'string' ? (/"model":"([^"\\]{1,200})"/.exec(body.slice(0, 1_000))?.[1] ?? null) : null;
}
