import type OpenAI from 'openai';
import { atFirstUse } from '../../core/first-use.ts';

export interface OpenAiOptions {
  apiKey: string;
  /** Of any OpenAI-compatible provider, ending in its version such as `/v1`; null for OpenAI itself. */
  baseUrl: string | null;
}

/**
 * The SDK's client, made at the first use because the SDK takes 100 ms to load. It neither retries nor gives up by
 * itself: its retries know no time budget and its timeout ends at the headers, so the adapters do both.
 */
export function openAiClient(
  { apiKey, baseUrl }: OpenAiOptions,
  fetch?: typeof globalThis.fetch,
): () => Promise<OpenAI> {
  return atFirstUse(async () => {
    const { default: Client } = await import('openai');
    return new Client({
      apiKey,
      baseURL: baseUrl ?? 'https://api.openai.com/v1',
      maxRetries: 0,
      timeout: 2_147_483_647,
      logLevel: 'off',
      ...(fetch && { fetch }),
      // null keeps the SDK from reading the environment
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
    });
  });
}
