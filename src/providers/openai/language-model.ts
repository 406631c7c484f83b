import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Completion, CompletionRequest, LanguageModel } from '../../conversations/language-model.ports.ts';
import { AppError } from '../../core/errors.ts';
import { countTokens } from '../../core/tokens.ts';
import { type OpenAiOptions, openAiClient } from './client.ts';
import { toAppError } from './errors.ts';
import { eventFetch } from './event-fetch.ts';
import { openWithRetries } from './retries.ts';
import { createStorableText } from './storable-text.ts';

interface LanguageModelOptions extends OpenAiOptions {
  /** From the call to the first text, retries and their waits included. */
  firstDeltaTimeoutMs: number;
  /** Between two pieces of text. */
  idleTimeoutMs: number;
}

/** A whole reply is there; the numbers about it are not worth a longer wait. */
const usageTimeoutMs = 2_000;

const mostPieces = 100;

/** Chat completions of OpenAI or any provider of the same protocol, streamed. */
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
  const deadline = performance.now() + options.firstDeltaTimeoutMs;
  let timer = setTimeout(expire, options.firstDeltaTimeoutMs);
  let hasText = false;
  let isEnded = false;
  const pieces: string[] = [];
  const storable = createStorableText();
  let reason: 'stop' | 'length' | undefined;
  let usage: ChatCompletionChunk['usage'];
  let isGiving = false;

  try {
    const chunks = await openWithRetries(() => open(request, upstream.signal), deadline, upstream.signal);
    for await (const chunk of chunks) {
      if (chunk.usage) usage = chunk.usage;
      // some providers leave the list out of chunks that carry only numbers
      const choice = chunk.choices?.[0];
      if (!choice) continue;
      const content = choice.delta.content && storable(choice.delta.content);
      if (content) {
        if (hasText) timer.refresh();
        else {
          hasText = true;
          clearTimeout(timer);
          timer = setTimeout(expire, options.idleTimeoutMs);
        }
        pieces.push(content);
        // A text that grows by appending takes 50 bytes for each piece until somebody reads it.
        if (pieces.length > mostPieces) pieces.splice(0, pieces.length, pieces.join(''));
        isGiving = true;
        onText(content);
        isGiving = false;
      }
      if (choice.finish_reason) {
        reason = finishReason(choice.finish_reason);
        clearTimeout(timer);
        timer = setTimeout(expire, usageTimeoutMs);
      }
    }
    isEnded = true;
  } catch (error) {
    if (isGiving) throw error;
    if (!reason && !signal.aborted && !isTimedOut) throw toAppError(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    if (!isEnded) upstream.abort();
  }

  signal.throwIfAborted();
  // The SDK ends its loop without an error after an abort and when the provider closes the stream early.
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

/** Providers have more words for "the text is complete" than OpenAI; none has another word for what is not text. */
function finishReason(reason: NonNullable<ChatCompletionChunk.Choice['finish_reason']>): 'stop' | 'length' {
  if (reason === 'length') return reason;
  if (reason === 'content_filter') {
    const message = "The model provider's content filter stopped the reply. Rephrase the message.";
    throw new AppError('upstream_error', { message });
  }
  if (reason === 'tool_calls' || reason === 'function_call') {
    throw new AppError('upstream_error', { message: 'The model provider answered with something other than text.' });
  }
  return 'stop';
}

/** Some providers never send their numbers, so they are counted here. */
const usageOf = (usage: ChatCompletionChunk['usage'], { turns }: CompletionRequest, reply: readonly string[]) => ({
  inputTokens: usage?.prompt_tokens ?? turns.reduce((sum, turn) => sum + countTokens(turn.content), 0),
  outputTokens: usage?.completion_tokens ?? countTokens(reply.join('')),
});
