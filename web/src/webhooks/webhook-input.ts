import type { CreateWebhookInput } from '../api/generated/operations.ts';
import type { WebhookValues } from './webhook-dialog.tsx';

/** Converts form values to input. Empty fields are omitted, so the service decides. */
export const inputOf = ({ url, description, events, secret }: WebhookValues): CreateWebhookInput => ({
  url,
  events,
  description: description || null,
  ...(secret ? { secret } : {}),
});
