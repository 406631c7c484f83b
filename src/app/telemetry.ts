import { StartError } from '../core/process/start-error.ts';
import { type Telemetry, wantsTelemetry } from '../core/process/telemetry.ts';

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
  // The exporter in the build contains a copy of gRPC, and rejects the credentials of the installed package.
  throw new StartError(`${name}=grpc is not supported. Choose http/protobuf or http/json.`);
}
