/**
 * The constants of the service that the runtime uses. In the emitted client this file is generated from the OpenAPI
 * document.
 */
import type { EventType } from '../../../src/core/outbox.ts';

export type { ErrorCode } from '../../../src/core/errors.ts';
export type WebhookEventType = EventType;

/** In the emitted client a union with a variant for each event type. */
export interface WebhookEvent {
  id: string;
  type: WebhookEventType;
  created_at: string;
  data: object;
}
