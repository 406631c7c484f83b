import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Span, SpanKind, trace, type Tracer } from '@opentelemetry/api';
import { endSpan } from './span.ts';

interface Outgoing {
  origin: string | URL;
  method: string;
  path: string;
}

type Listener = (message: unknown) => void;

/** The model provider's operations, told by the end of their path; every other path may hold a secret. */
const operation = /\/(chat\/completions|embeddings|audio\/(?:speech|transcriptions))(?:\?|$)/;

/**
 * A span for each call by fetch that is part of something traced, from its start to the end of its answer. Node's own
 * fetch and undici tell of them by the same channels. Nothing of a trace is sent to the other side. Answers what takes it back.
 *
 * @see https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md
 */
export function traceOutgoing(tracer: Tracer): () => void {
  const spans = new WeakMap<object, Span>();
  const end = (message: unknown) => {
    const { request, error } = message as { request: object; error?: unknown };
    const span = spans.get(request);
    spans.delete(request);
    if (span) endSpan(span, error);
  };
  const listeners: Record<string, Listener> = {
    'undici:request:create': (message) => {
      const { request } = message as { request: Outgoing };
      if (!trace.getActiveSpan()) return;
      const { hostname, port } = new URL(request.origin);
      const called = operation.exec(request.path)?.[1];
      const attributes = {
        'http.request.method': request.method,
        'server.address': hostname,
        ...(port && { 'server.port': Number(port) }),
        ...(called && { 'gen_ai.operation.name': called }),
      };
      const name = called ? `model ${called}` : `${request.method} ${hostname}`;
      spans.set(request, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }));
    },
    'undici:request:headers': (message) => {
      const { request, response } = message as { request: object; response: { statusCode: number } };
      spans.get(request)?.setAttribute('http.response.status_code', response.statusCode);
    },
    'undici:request:trailers': end,
    'undici:request:error': end,
  };
  for (const [channel, listener] of Object.entries(listeners)) subscribe(channel, listener);
  return () => {
    for (const [channel, listener] of Object.entries(listeners)) unsubscribe(channel, listener);
  };
}
