import { useMutation, useQueryClient } from '@tanstack/react-query';
import { UpdateWebhookDocument, WebhookDocument, WebhooksDocument } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';

/** Enables a webhook by its id. */
export function useEnableWebhook() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(UpdateWebhookDocument, { id, input: { active: true } }),
    onSuccess: (_result, id) =>
      Promise.all([
        cache.invalidateQueries({ queryKey: keyOf(WebhookDocument, { id }) }),
        cache.invalidateQueries({ queryKey: keyOf(WebhooksDocument) }),
      ]),
  });
}
