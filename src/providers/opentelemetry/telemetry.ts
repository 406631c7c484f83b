import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { metrics, SpanKind, trace } from '@opentelemetry/api';
import { startNodeSdk } from '@opentelemetry/sdk-node';
import type { Telemetry } from '../../core/process/telemetry.ts';
import { exportFigures } from './figures.ts';
import { traceOutgoing } from './outgoing-spans.ts';
import { traceServer } from './server-spans.ts';
import { runInSpan } from './span.ts';
import { traceSql } from './sql-spans.ts';

const scope = 'agent-chat-service';

/**
 * Starts traces and metrics with OpenTelemetry's SDK, which reads its OTEL_* variables itself. Names and attributes
 * follow its semantic conventions, except that paths, values, texts and personal addresses are left out, because they
 * can contain secrets.
 */
export function startTelemetry(vars: Readonly<Record<string, string | undefined>>): Telemetry {
  const isNamed = vars['OTEL_SERVICE_NAME'] || vars['OTEL_RESOURCE_ATTRIBUTES']?.includes('service.name=');
  const resourceAttributes = { 'service.version': serviceVersion(), ...(isNamed ? {} : { 'service.name': scope }) };
  const sdk = startNodeSdk({ resourceAttributes, logRecordProcessors: [] });
  const tracer = trace.getTracer(scope);
  const meter = metrics.getMeter(scope);
  const untraced = [traceSql(tracer), traceOutgoing(tracer)];
  return {
    observeServer: (app) => traceServer(app, tracer, meter),
    observeFigures: (figures) => exportFigures(meter, figures),
    observeTask: (kind, attempt, work) => {
      const attributes = { 'task.kind': kind, 'task.attempt': attempt };
      return runInSpan(tracer, `task ${kind}`, { kind: SpanKind.CONSUMER, root: true, attributes }, work);
    },
    logFields: () => {
      const span = trace.getActiveSpan()?.spanContext();
      return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
    },
    stop: async () => {
      for (const undo of untraced) undo();
      await sdk.shutdown().catch(() => undefined);
    },
  };
}

function serviceVersion(): string {
  const path = findPackageJSON('..', import.meta.url);
  const { version = '' } = path ? (JSON.parse(readFileSync(path, 'utf8')) as { version?: string }) : {};
  return version;
}
