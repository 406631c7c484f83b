import {
  context,
  type Context,
  type Meter,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endSpan } from './span.ts';

const unwatched = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Records a span and a duration for each request, named by its route. The span of a stream lasts until the stream ends.
 */
export function traceServer(app: FastifyInstance, tracer: Tracer, meter: Meter): void {
  const contexts = new WeakMap<FastifyRequest, Context>();
  const durations = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Duration of HTTP server requests.',
    advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] },
  });
  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    if (route !== undefined && unwatched.has(route)) return done();
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    const named = {
      'http.request.method': request.method,
      'url.scheme': request.protocol,
      ...(route !== undefined && { 'http.route': route }),
    };
    const name = route === undefined ? request.method : `${request.method} ${route}`;
    const attributes = {
      ...named,
      'http.request.id': request.id,
      'network.protocol.version': request.raw.httpVersion,
      ...(request.headers['user-agent'] && { 'user_agent.original': request.headers['user-agent'] }),
    };
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    const startedMs = performance.now();
    reply.raw.once('close', () => {
      const status = reply.raw.statusCode;
      span.setAttribute('http.response.status_code', status);
      durations.record((performance.now() - startedMs) / 1_000, { ...named, 'http.response.status_code': status });
      endSpan(span, status >= 500 ? String(status) : undefined);
    });
    const own = trace.setSpan(parent, span);
    contexts.set(request, own);
    context.with(own, done);
  });
  // The body is read in the async context of the connection. Later hooks must run in that of the request again.
  app.addHook('preValidation', (request, _reply, done) =>
    context.with(contexts.get(request) ?? context.active(), done),
  );
}
