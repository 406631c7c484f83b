import type { CreateWebhookInput } from '../api/generated/operations.ts';
import type { WebhookValues } from './webhook-dialog.tsx';

/** Empty fields are left to the service. */
export const inputOf = ({ url, description, events, secret }: WebhookValues): CreateWebhookInput => ({
  url,
  events,
  description: description || null,
  ...(secret ? { secret } : {}),
});
