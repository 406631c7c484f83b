import { context, type Span, type SpanOptions, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';

/** Runs `work` in a span that ends when `work` settles. */
export async function runInSpan<Result>(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = tracer.startSpan(name, options);
  try {
    const result = await context.with(trace.setSpan(context.active(), span), work);
    endSpan(span);
    return result;
  } catch (error) {
    endSpan(span, error);
    throw error;
  }
}

/**
 * Ends the span, now or at an earlier time on the scale of `performance.now()`. Only the kind of an error is recorded, because messages can contain user
 * content.
 */
export function endSpan(span: Span, error?: unknown, endedMs?: number): void {
  if (error !== undefined && error !== null) {
    span.setAttribute('error.type', kindOf(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(endedMs);
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as Error & { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
