import { type Telemetry, wantsTelemetry } from '../core/process/telemetry.ts';

/** Starts OpenTelemetry when its variables name a collector; its SDK is loaded only then. */
export async function startTelemetry(env: NodeJS.ProcessEnv): Promise<Telemetry | undefined> {
  if (!wantsTelemetry(env)) return undefined;
  const provider = await import('../providers/opentelemetry/telemetry.ts');
  return provider.startTelemetry(env);
}
