/**
 * The words of the service that the runtime speaks. Here they are the service's own; in the emitted client this file is
 * made from the OpenAPI document.
 */
import type { WebhookEventType } from '../../../src/webhooks/event-catalog.ts';

export type { ErrorCode } from '../../../src/core/errors.ts';
export type { WebhookEventType };

/** In the emitted client one of a variant for each type, with its own `data`. */
export interface WebhookEvent {
  id: string;
  type: WebhookEventType;
  created_at: string;
  data: object;
}
