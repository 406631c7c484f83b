/**
 * The words of the service that the runtime speaks. Here they are the service's own; in the emitted client this file is
 * made from the OpenAPI document.
 */
export type { ErrorCode } from '../../../src/core/errors.ts';
export type { WebhookEventType } from '../../../src/webhooks/event-catalog.ts';
