import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

/** Metrics of a process. */
export interface Metrics {
  registry: Registry;
  /** Refreshes the gauges that are read from the database. Never throws. */
  refresh(): Promise<void>;
}

/** Exports traces and metrics to a telemetry collector. Without a configured collector none of it is loaded. */
export interface Telemetry {
  /** Records a span for each request to the server. Must be called before routes are registered. */
  observeServer(app: FastifyInstance): void;
  observeFigures(metrics: Metrics): void;
  /** Runs one attempt of a task in its own trace. */
  observeTask<Result>(kind: string, attempt: number, work: () => Promise<Result>): Promise<Result>;
  /** Fields that link a log line to the active span. */
  logFields(): object;
  /** Flushes and stops. */
  stop(): Promise<void>;
}

type Variables = Readonly<Record<string, string | undefined>>;

const switches = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
  'OTEL_CONFIG_FILE',
];

/**
 * Returns whether OpenTelemetry's standard variables configure an exporter.
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function wantsTelemetry(vars: Variables): boolean {
  if (vars['OTEL_SDK_DISABLED'] === 'true') return false;
  const exporters = [vars['OTEL_TRACES_EXPORTER'], vars['OTEL_METRICS_EXPORTER']];
  return switches.some((name) => vars[name]) || exporters.some((name) => name && name !== 'none');
}
