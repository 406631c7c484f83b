import { AsyncLocalStorage } from 'node:async_hooks';

/** What a request to a model provider is for. Telemetry names its spans by it. */
export interface ModelCall {
  /** The vendor or protocol, by the name that OpenTelemetry has for it. */
  provider: string;
  model: string | null;
}

/** Set while a provider sends a request to a model. */
export const modelCall = new AsyncLocalStorage<ModelCall>();
