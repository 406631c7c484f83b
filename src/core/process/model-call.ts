import { AsyncLocalStorage } from 'node:async_hooks';

/** The purpose of a request to a model provider, used as the name of telemetry spans. */
export interface ModelCall {
  /** Vendor or protocol, as named by OpenTelemetry. */
  provider: string;
  model: string | null;
}

/** Set while a provider sends a request to a model. */
export const modelCall = new AsyncLocalStorage<ModelCall>();
