import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Completion, CompletionRequest, LanguageModel } from '../../conversations/prompt/language-model.ports.ts';
import { AppError } from '../../core/errors.ts';
import { countTokens } from '../../core/tokens.ts';
import { type OpenAiOptions, openAiClient } from './client.ts';
import { toAppError } from './errors.ts';
import { eventFetch } from './event-fetch.ts';
import { retryCall } from './retries.ts';
import { createStorableText } from './storable-text.ts';

interface LanguageModelOptions extends OpenAiOptions {
  /** Timeout from the call to the first text, including retries and their delays. */
  firstDeltaTimeoutMs: number;
  /** Timeout between two pieces of text. */
  idleTimeoutMs: number;
}

/** Timeout for the usage numbers after the reply is complete. */
const usageTimeoutMs = 2_000;

const maxPieces = 100;

/** Creates a language model on the streamed chat completions of OpenAI or any compatible provider. */
export function createOpenAiLanguageModel(options: LanguageModelOptions): LanguageModel {
  const client = openAiClient(options, eventFetch);
  const open = async (request: CompletionRequest, signal: AbortSignal) =>
    (await client()).chat.completions.create(completionParams(request), { signal });
  return { stream: (request, onText) => streamCompletion(request, onText, open, options) };
}

type Open = (request: CompletionRequest, signal: AbortSignal) => Promise<AsyncIterable<ChatCompletionChunk>>;

async function streamCompletion(
  request: CompletionRequest,
  onText: (content: string) => void,
  open: Open,
  options: LanguageModelOptions,
): Promise<Completion> {
  const { signal } = request;
  signal.throwIfAborted();
  const upstream = new AbortController();
  const abort = () => upstream.abort();
  signal.addEventListener('abort', abort, { once: true });
  let isTimedOut = false;
  const expire = () => {
    isTimedOut = true;
    upstream.abort();
  };
  const deadlineMs = performance.now() + options.firstDeltaTimeoutMs;
  let timer = setTimeout(expire, options.firstDeltaTimeoutMs);
  let hasText = false;
  let isEnded = false;
  const pieces: string[] = [];
  const storable = createStorableText();
  let reason: 'stop' | 'length' | undefined;
  let usage: ChatCompletionChunk['usage'];
  let isInCallback = false;

  try {
    const chunks = await retryCall(() => open(request, upstream.signal), { deadlineMs, signal: upstream.signal });
    for await (const chunk of chunks) {
      if (chunk.usage) usage = chunk.usage;
      // Some providers omit the list in chunks that contain only usage numbers.
      const choice = chunk.choices?.[0];
      if (!choice) continue;
      const content = storable(textOf(choice.delta.content));
      if (content) {
        if (hasText) timer.refresh();
        else {
          hasText = true;
          clearTimeout(timer);
          timer = setTimeout(expire, options.idleTimeoutMs);
        }
        pieces.push(content);
        // Joined from time to time: a string that grows by appending takes 50 bytes for each piece until it is
        // flattened.
        if (pieces.length > maxPieces) pieces.splice(0, pieces.length, pieces.join(''));
        isInCallback = true;
        onText(content);
        isInCallback = false;
      }
      if (choice.finish_reason) {
        reason = finishReason(choice.finish_reason);
        clearTimeout(timer);
        timer = setTimeout(expire, usageTimeoutMs);
      }
    }
    isEnded = true;
  } catch (error) {
    if (isInCallback) throw error;
    if (!reason && !signal.aborted && !isTimedOut) throw toAppError(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    if (!isEnded) upstream.abort();
  }

  signal.throwIfAborted();
  // The SDK ends its loop without an error both after an abort and when the provider closes the stream early.
  if (!reason) throw new AppError(isTimedOut ? 'upstream_timeout' : 'upstream_error');
  return { reason, usage: usageOf(usage, request, pieces) };
}

const completionParams = ({ model, turns }: CompletionRequest): ChatCompletionCreateParamsStreaming => ({
  model: model.providerModel,
  messages: turns.map(({ role, content }) => ({ role, content })),
  max_completion_tokens: model.maxOutputTokens,
  ...(model.reasoningEffort && { reasoning_effort: model.reasoningEffort }),
  ...((model.reasoningEffort ?? 'none') === 'none' && { temperature: model.temperature }),
  stream: true,
  stream_options: { include_usage: true },
});

/**
 * Returns the text of a delta. Some providers send a list of parts.
 * @throws AppError `upstream_error` for content that is not text
 */
function textOf(content: unknown): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOfPart).join('');
  throw notText();
}

function textOfPart(part: unknown): string {
  if (typeof part === 'string') return part;
  const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
  if (type !== 'text' || typeof text !== 'string') throw notText();
  return text;
}

const notText = (): AppError =>
  new AppError('upstream_error', { message: 'The model provider returned something other than text.' });

/** Maps the finish reason. Some providers have additional values for a complete text, but none for other content. */
function finishReason(reason: NonNullable<ChatCompletionChunk.Choice['finish_reason']>): 'stop' | 'length' {
  if (reason === 'length') return reason;
  if (reason === 'content_filter') {
    const message = "The model provider's content filter stopped the reply. Rephrase the message.";
    throw new AppError('upstream_error', { message });
  }
  if (reason === 'tool_calls' || reason === 'function_call') {
    throw notText();
  }
  return 'stop';
}

/** Returns the token usage. Counts the tokens here if the provider does not report its usage. */
const usageOf = (usage: ChatCompletionChunk['usage'], { turns }: CompletionRequest, reply: readonly string[]) => ({
  inputTokens: usage?.prompt_tokens ?? turns.reduce((sum, turn) => sum + countTokens(turn.content), 0),
  outputTokens: usage?.completion_tokens ?? countTokens(reply.join('')),
});
