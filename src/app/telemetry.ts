import { createRequire } from 'node:module';
import { StartError } from '../core/process/start-error.ts';
import { type Telemetry, wantsTelemetry } from '../core/process/telemetry.ts';

const grpcPackage = '@grpc/grpc-js';
const protocols = [
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_EXPORTER_OTLP_METRICS_PROTOCOL',
];

/**
 * Starts OpenTelemetry when the environment configures a collector; the SDK is imported only then.
 * @throws StartError
 */
export async function startTelemetry(env: NodeJS.ProcessEnv): Promise<Telemetry | undefined> {
  if (!wantsTelemetry(env)) return undefined;
  requireProtocol(env);
  const provider = await import('../providers/opentelemetry/telemetry.ts');
  return provider.startTelemetry(env);
}

function requireProtocol(env: NodeJS.ProcessEnv): void {
  const name = protocols.find((one) => env[one] === 'grpc');
  if (!name) return;
  try {
    createRequire(import.meta.url).resolve(grpcPackage);
  } catch (error) {
    throw new StartError(
      `${name}=grpc needs an optional package. Install it with "npm install --no-save ${grpcPackage}", or choose http/protobuf.`,
      { cause: error },
    );
  }
}
