/** What a chunk of a streamed completion, or a whole completion, contributes to the reply. */
export type Step =
  | { type: 'text'; text: string }
  /** The model thinks. The text is not part of the reply. */
  | { type: 'reasoning' }
  | { type: 'tool_call' }
  | { type: 'usage'; usage: ReportedUsage }
  | { type: 'end'; ending: Ending }
  /** The provider reports an error; see `readError`. */
  | { type: 'error'; error: unknown };

/** Token counts as the provider reports them. A count that is not a positive 32-bit integer is absent. */
export interface ReportedUsage {
  inputTokens?: number;
  outputTokens?: number;
}

/**
 * How the provider ended a reply: complete, at a length limit, by a content filter, for a tool call, or by a failure.
 * `unknown` is a value that is not in the table, which must not pass for a complete reply.
 */
export type Ending = 'stop' | 'length' | 'filtered' | 'tool_calls' | 'failed' | 'unknown';

/** Finish reasons of OpenAI and of the providers that speak its protocol or translate into it, in lower case. */
const finishReasons: Readonly<Record<Exclude<Ending, 'unknown'>, readonly string[]>> = {
  stop: ['stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence', 'complete', 'completed', 'finish_reason_stop'],
  length: [
    'length',
    'max_tokens',
    'max_output_tokens',
    'model_length',
    'model_context_window_exceeded',
    'finish_reason_max_tokens',
    'incomplete',
  ],
  filtered: [
    'content_filter',
    'content_filtered',
    'guardrail_intervened',
    'safety',
    'image_safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
    'sensitive',
    'refusal',
  ],
  tool_calls: ['tool_calls', 'function_call', 'tool_use', 'malformed_function_call', 'unexpected_tool_call'],
  failed: [
    'error',
    'insufficient_system_resource',
    'network_error',
    'abort',
    'cancelled',
    'language',
    'other',
    'pause_turn',
  ],
};

const endings: ReadonlyMap<string, Ending> = new Map(
  Object.entries(finishReasons).flatMap(([ending, reasons]) => reasons.map((reason) => [reason, ending as Ending])),
);

/**
 * Reads a chunk of a stream, or a whole completion, as parsed JSON. Total: accepts any value, and skips whatever it does
 * not know. The steps are in the order in which they apply.
 */
export function readChunk(value: unknown): Step[] {
  if (!isObject(value)) return [];
  const error = errorIn(value);
  if (error !== undefined) return [{ type: 'error', error }];
  const usage = readUsage(value['usage']);
  const steps: Step[] = usage ? [{ type: 'usage', usage }] : [];
  const [choice] = Array.isArray(value['choices']) ? (value['choices'] as unknown[]) : [];
  if (!isObject(choice)) return steps;
  // A response that is not streamed has `message`, and the older completions have `text`.
  const delta = choice['delta'] ?? choice['message'] ?? { content: choice['text'] };
  if (isObject(delta)) {
    if (reasoningFields.some((field) => isFilled(delta[field]))) steps.push({ type: 'reasoning' });
    if (isFilled(delta['tool_calls']) || isFilled(delta['function_call'])) steps.push({ type: 'tool_call' });
    steps.push(...contentSteps(delta['content']), ...textStep(delta['refusal']));
  }
  const ending = readEnding(choice['finish_reason']);
  if (ending) steps.push({ type: 'end', ending });
  return steps;
}

/** Fields in which providers stream what a model thinks. */
const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking'];
/** Types of content parts with text. Parts of other types, such as images and references, are skipped. */
const textParts: readonly unknown[] = ['text', 'output_text', 'refusal'];
const reasoningParts: readonly unknown[] = ['thinking', 'reasoning', 'redacted_thinking'];

function contentSteps(content: unknown): Step[] {
  if (typeof content === 'string') return textStep(content);
  if (Array.isArray(content)) return content.flatMap(contentSteps);
  if (!isObject(content)) return [];
  if (reasoningParts.includes(content['type'])) return [{ type: 'reasoning' }];
  return textParts.includes(content['type']) ? textStep(content['text'] ?? content['refusal']) : [];
}

const textStep = (text: unknown): Step[] => (typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []);

function readEnding(reason: unknown): Ending | null {
  if (reason === undefined || reason === null || reason === '') return null;
  return (typeof reason === 'string' && endings.get(reason.toLowerCase())) || 'unknown';
}

/** Returns the error of a chunk in the forms of OpenAI, vLLM and Anthropic; undefined for any other chunk. */
function errorIn(value: Record<string, unknown>): unknown {
  if (isFilled(value['error'])) return value;
  return value['object'] === 'error' || value['type'] === 'error' ? value : undefined;
}

/** Largest value of the integer columns that store token counts. */
const maxCount = 2_147_483_647;

function readUsage(usage: unknown): ReportedUsage | null {
  if (!isObject(usage)) return null;
  const inputTokens = countIn(usage['prompt_tokens'] ?? usage['input_tokens']);
  const outputTokens = countIn(usage['completion_tokens'] ?? usage['output_tokens']);
  return { ...(inputTokens && { inputTokens }), ...(outputTokens && { outputTokens }) };
}

const countIn = (count: unknown): number | undefined =>
  typeof count === 'number' && Number.isInteger(count) && count > 0 && count <= maxCount ? count : undefined;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '' && value !== false;
