import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

/** The figures of a process. */
export interface Metrics {
  registry: Registry;
  /** Reads anew what is not counted as it happens. Never throws. */
  refresh(): Promise<void>;
}

/** What tells a collector how the service is doing. Without one there is none of it: not loaded, not called. */
export interface Telemetry {
  /** A span for each request of the server, and the figures. Call it before there are routes. */
  observeServer(app: FastifyInstance): void;
  observeFigures(metrics: Metrics): void;
  /** A span, and a trace of its own, for one attempt at a task. */
  observeTask<Result>(kind: string, attempt: number, work: () => Promise<Result>): Promise<Result>;
  /** What a log line says of the span that it is written in. */
  logFields(): object;
  /** Sends what is left. */
  stop(): Promise<void>;
}

type Variables = Readonly<Record<string, string | undefined>>;

const switches = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
  'OTEL_CONFIG_FILE',
];

/** Whether OpenTelemetry's usual variables say where traces or metrics go. @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
export function wantsTelemetry(vars: Variables): boolean {
  if (vars['OTEL_SDK_DISABLED'] === 'true') return false;
  const exporters = [vars['OTEL_TRACES_EXPORTER'], vars['OTEL_METRICS_EXPORTER']];
  return switches.some((name) => vars[name]) || exporters.some((name) => name && name !== 'none');
}
