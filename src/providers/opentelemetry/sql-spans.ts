import { context, type Span, SpanKind, trace, type Tracer } from '@opentelemetry/api';
import pg from 'pg';
import { endSpan } from './span.ts';

type Callback = (error: unknown, result?: unknown) => void;
type Query = (this: pg.Client, ...args: unknown[]) => unknown;
type Connect = (this: pg.Pool, callback?: Callback) => unknown;

/**
 * Creates a span for each statement inside a trace, named by the statement's name or its first word, because the text
 * of a statement can contain values. Returns a function that restores the original methods.
 */
export function traceSql(tracer: Tracer): () => void {
  const client = pg.Client.prototype as unknown as { query: Query };
  const pool = pg.Pool.prototype as unknown as { connect: Connect };
  const { query, connect } = { query: client.query, connect: pool.connect };

  client.query = function traced(...args) {
    const [config] = args;
    if (!trace.getActiveSpan() || isSubmittable(config)) return query.apply(this, args);
    const name = nameOf(config);
    const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name };
    const span = tracer.startSpan(`sql ${name}`, { kind: SpanKind.CLIENT, attributes });
    const callback = args.at(-1);
    if (typeof callback === 'function') args[args.length - 1] = endingWith(span, callback as Callback);
    const result = query.apply(this, args);
    if (result instanceof Promise)
      result.then(
        () => endSpan(span),
        (error: unknown) => endSpan(span, error),
      );
    return result;
  };
  // The pool calls a waiting caller in the async context of the caller that released the connection.
  pool.connect = function bound(callback) {
    return callback ? connect.call(this, context.bind(context.active(), callback)) : connect.call(this);
  };
  return () => {
    client.query = query;
    pool.connect = connect;
  };
}

const endingWith =
  (span: Span, callback: Callback): Callback =>
  (error, result) => {
    endSpan(span, error);
    callback(error, result);
  };

/** Returns whether a query is an object with its own events, such as a cursor or a stream. */
const isSubmittable = (config: unknown): boolean =>
  typeof (config as { submit?: unknown } | null | undefined)?.submit === 'function';

function nameOf(config: unknown): string {
  const { name, text } = (typeof config === 'string' ? { text: config } : config) as { name?: string; text?: string };
  if (name) return name;
  return /^\s*(?:--[^\n]*\n\s*)*([a-z]+)/i.exec(text ?? '')?.[1]?.toLowerCase() ?? 'statement';
}
