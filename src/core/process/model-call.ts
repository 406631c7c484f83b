import { AsyncLocalStorage } from 'node:async_hooks';

/** Target of a request to a model, which names the telemetry span of the request. */
export interface ModelCall {
  /** Vendor or protocol, as named by OpenTelemetry. */
  provider: string;
  model: string | null;
}

/** Set while a provider sends a request to a model. */
export const modelCall = new AsyncLocalStorage<ModelCall>();
