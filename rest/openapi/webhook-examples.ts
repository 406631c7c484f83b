import { uuid } from './example-uuid.ts';

/** Example values of the fields of webhooks, by `Type.field` or by the field alone. */
export const webhookExamples: Readonly<Record<string, unknown>> = {
  'WebhookAttempt.duration_ms': 42,
  'WebhookAttempt.error': 'timeout',
  'Webhook.id': `wh_${uuid}`,
  'WebhookDelivery.id': `dlv_${uuid}`,
  'webhooks.id': `wh_${uuid}`,
  'WebhookAttempt.status': 200,
  webhook_id: `wh_${uuid}`,
  delivery_id: `dlv_${uuid}`,
};
