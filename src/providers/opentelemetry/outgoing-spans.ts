import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Span, SpanKind, trace, type Tracer } from '@opentelemetry/api';
import { type ModelCall, modelCall, type ModelResult } from '../../core/process/model-call.ts';
import { endSpan } from './span.ts';

interface Outgoing {
  origin: string | URL;
  method: string;
  path: string;
}

type Listener = (message: unknown) => void;

/**
 * Operations of a model provider by the end of their path, named by OpenTelemetry's conventions where a name exists.
 * All other paths are omitted, because they may contain a secret.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
const operations: Readonly<Record<string, string | undefined>> = {
  'chat/completions': 'chat',
  embeddings: 'embeddings',
  'audio/speech': 'text_to_speech',
  'audio/transcriptions': 'speech_to_text',
};
const operationPath = /\/(chat\/completions|embeddings|audio\/(?:speech|transcriptions))(?:\?|$)/;

/**
 * Creates a span for each outgoing request inside a trace, from its start to the end of its response. Covers both
 * Node's fetch and undici, which report on the same channels. Sends no trace context to the other side. Returns a
 * function that removes the subscriptions.
 * @see https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md
 */
export function traceOutgoing(tracer: Tracer): () => void {
  const spans = new WeakMap<object, Span>();
  /** Results of the calls to models. */
  const results = new WeakMap<object, NonNullable<ModelCall['result']>>();
  const end = (message: unknown) => {
    const { request, error } = message as { request: object; error?: unknown };
    const span = spans.get(request);
    spans.delete(request);
    if (!span) return;
    const result = results.get(request);
    if (!result) return endSpan(span, error);
    // The response has ended, but what it reports may not have been read yet.
    const endTime = performance.now();
    void result.then((reported) => {
      if (reported) span.setAttributes(resultAttributes(reported));
      endSpan(span, error, endTime);
    });
  };
  const listeners: Record<string, Listener> = {
    'undici:request:create': (message) => {
      const { request } = message as { request: Outgoing };
      if (!trace.getActiveSpan()) return;
      const { hostname, port, protocol } = new URL(request.origin);
      const model = modelAttributes(request.path);
      const attributes = {
        'http.request.method': request.method,
        'url.scheme': protocol.slice(0, -1),
        'server.address': hostname,
        'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
        ...model,
      };
      const name = model
        ? [model['gen_ai.operation.name'], model['gen_ai.request.model']].filter(Boolean).join(' ')
        : `${request.method} ${hostname}`;
      spans.set(request, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }));
      const result = model && modelCall.getStore()?.result;
      if (result) results.set(request, result);
    },
    'undici:request:headers': (message) => {
      const { request, response } = message as { request: object; response: { statusCode: number } };
      spans.get(request)?.setAttribute('http.response.status_code', response.statusCode);
      // A call can retry, and the result is that of the request that succeeded.
      if (response.statusCode >= 300) results.delete(request);
    },
    'undici:request:trailers': end,
    'undici:request:error': end,
  };
  for (const [channel, listener] of Object.entries(listeners)) subscribe(channel, listener);
  return () => {
    for (const [channel, listener] of Object.entries(listeners)) unsubscribe(channel, listener);
  };
}

/** Returns the attributes of a request to a model, or null for any other request. */
function modelAttributes(path: string) {
  const call = modelCall.getStore();
  const operation = operations[operationPath.exec(path)?.[1] ?? ''];
  if (!call || !operation) return null;
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': call.provider,
    ...(call.model && { 'gen_ai.request.model': call.model }),
  };
}

const resultAttributes = ({ inputTokens, outputTokens, finishReason }: ModelResult) => ({
  ...(inputTokens !== undefined && { 'gen_ai.usage.input_tokens': inputTokens }),
  ...(outputTokens !== undefined && { 'gen_ai.usage.output_tokens': outputTokens }),
  ...(finishReason !== undefined && { 'gen_ai.response.finish_reasons': [finishReason] }),
});
