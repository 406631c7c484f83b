import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { countTokens } from '../../core/tokens.ts';
import type { Call } from './journal.ts';
import { embed } from './embedder.ts';
import { apiError, errorForStatus, sendError, sendJson } from './http.ts';
import type { Behaviour } from './script.ts';

const dimensionsOf: Readonly<Record<string, number>> = { 'text-embedding-3-large': 3_072 };
const defaultDimensions = 1_536;
const maxInputs = 2_048;
const maxInputTokens = 8_192;

/** Handles POST /v1/embeddings, with floats or base64. */
export async function answerEmbeddings({ res, recorded, rule }: Call & { rule: Behaviour | undefined }): Promise<void> {
  await rule?.gate;
  if (rule?.headersDelayMs) await sleep(rule.headersDelayMs);
  if (rule?.fault) return void (rule.fault.kind === 'hang' || res.destroy());
  if (rule?.status) return sendError(res, errorForStatus(rule.status, rule.retryAfterSeconds, rule.error));
  const { model, texts, dimensions, isBase64 } = checkBody(recorded.body);
  const data: { object: 'embedding'; index: number; embedding: string | number[] }[] = [];
  let total = 0;
  for (const [index, text] of texts.entries()) {
    const tokens = countTokens(text);
    if (tokens > maxInputTokens) throw tooLong();
    total += tokens;
    const vector = embed(text, dimensions);
    const embedding = isBase64 ? Buffer.from(vector.buffer).toString('base64') : [...vector];
    data.push({ object: 'embedding', index, embedding });
    // Yields to the event loop: the simulator runs in the service's process and must not block it for a whole batch.
    if (index % 16 === 15) await breathe();
  }
  sendJson(res, 200, { object: 'list', data, model, usage: { prompt_tokens: total, total_tokens: total } });
}

const tooLong = () =>
  apiError(
    400,
    `This model's maximum context length is ${maxInputTokens} tokens. Please reduce your prompt.`,
    'invalid_request_error',
    'context_length_exceeded',
  );

function checkBody(body: Record<string, unknown>): {
  model: string;
  texts: string[];
  dimensions: number;
  isBase64: boolean;
} {
  const { model, input, dimensions, encoding_format: format = 'float' } = body;
  if (typeof model !== 'string') throw apiError(400, 'you must provide a model parameter');
  const texts: unknown[] = Array.isArray(input) ? input : [input];
  if (
    texts.length === 0 ||
    texts.length > maxInputs ||
    !texts.every((text) => typeof text === 'string' && text.length > 0)
  ) {
    throw apiError(
      400,
      "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.",
    );
  }
  const most = dimensionsOf[model] ?? defaultDimensions;
  if (
    dimensions !== undefined &&
    !(Number.isInteger(dimensions) && Number(dimensions) >= 1 && Number(dimensions) <= most)
  ) {
    throw apiError(
      400,
      `Invalid value for 'dimensions' = ${JSON.stringify(dimensions)}. Must be between 1 and ${most}.`,
    );
  }
  if (format !== 'float' && format !== 'base64')
    throw apiError(400, "Invalid value for 'encoding_format'. Must be one of 'float' or 'base64'.");
  return {
    model,
    texts: texts as string[],
    dimensions: typeof dimensions === 'number' ? dimensions : most,
    isBase64: format === 'base64',
  };
}
