import type { Completion, CompletionRequest, LanguageModel } from '../../conversations/prompt/language-model.ports.ts';
import { runModelCall } from '../../core/process/model-call.ts';
import { type OpenAiOptions, openAiClient } from './client.ts';
import { toAppError } from './errors.ts';
import { eventFetch } from './event-fetch.ts';
import { failureKind, ProviderError } from './failures.ts';
import { createReplyReader } from './reply-reader.ts';
import { createRequestFields } from './request-fields.ts';
import { retryCall } from './retries.ts';
import { createSilenceLimit, type SilenceLimits } from './silence-limit.ts';
import { createWireReader } from './wire-reader.ts';

interface LanguageModelOptions extends OpenAiOptions, SilenceLimits {}

/** Creates a language model on the streamed chat completions of OpenAI or any compatible provider. */
export function createOpenAiLanguageModel(options: LanguageModelOptions): LanguageModel {
  const client = openAiClient(options, eventFetch);
  const fields = createRequestFields();
  const open = (request: CompletionRequest, signal: AbortSignal): Promise<Response> =>
    fields.send(request, async (params) => (await client()).chat.completions.create(params, { signal }).asResponse());
  const failures = new Map<string, number>();
  let lastFailure: string | null = null;
  return {
    failures,
    get lastFailure() {
      return lastFailure;
    },
    async stream(request, onText) {
      const target = { provider: 'openai', model: request.model.providerModel };
      try {
        const call = () => streamCompletion(request, onText, open, options);
        const completion = await runModelCall(target, call, ({ usage, reason }) => ({
          ...usage,
          finishReason: reason,
        }));
        lastFailure = null;
        return completion;
      } catch (error) {
        const kind = failureKind(error);
        if (kind) {
          failures.set(kind, (failures.get(kind) ?? 0) + 1);
          lastFailure = kind;
        }
        throw error;
      }
    },
  };
}

type Open = (request: CompletionRequest, signal: AbortSignal) => Promise<Response>;

async function streamCompletion(
  request: CompletionRequest,
  onText: (content: string) => void,
  open: Open,
  limits: SilenceLimits,
): Promise<Completion> {
  const { signal } = request;
  signal.throwIfAborted();
  const upstream = createSilenceLimit(signal, limits);
  let thrown: { error: unknown } | undefined;
  const reply = createReplyReader((content) => {
    upstream.noteText();
    try {
      onText(content);
    } catch (error) {
      thrown = { error };
      throw error;
    }
  });
  const wire = createWireReader((step) => {
    reply.take(step);
    if (step.type === 'end') upstream.noteEnding();
  });
  try {
    const deadlineMs = performance.now() + limits.firstDeltaTimeoutMs;
    const response = await retryCall(() => open(request, upstream.signal), { deadlineMs, signal: upstream.signal });
    await readBody(response, wire, () => upstream.noteBytes());
    upstream.end();
  } catch (error) {
    upstream.abort();
    if (thrown) throw thrown.error;
    signal.throwIfAborted();
    // A reply that has ended is complete, even if its usage numbers do not arrive.
    if (!reply.hasEnding) throw upstream.isExpired ? new ProviderError('timeout') : toAppError(error);
  }
  signal.throwIfAborted();
  const { reason } = reply.end(wire.isDone);
  return { reason, usage: reply.usage(request) };
}

async function readBody(response: Response, wire: ReturnType<typeof createWireReader>, onBytes: () => void) {
  const decoder = new TextDecoder();
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    onBytes();
    wire.feed(decoder.decode(piece, { stream: true }));
    if (wire.isDone) return;
  }
  wire.feed(decoder.decode());
  wire.end();
}
