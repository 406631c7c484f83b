import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IntegrationDocument, IntegrationsDocument, UpdateIntegrationDocument } from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { common } from '../parts/common-texts.ts';
import { RemovableButton } from '../parts/controls/removable-button.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { texts } from './texts.ts';
import styles from './integrations.module.css';

/** Reconnects an integration after an error. */
export function RetryButton({ integrationId }: { integrationId: string }) {
  const cache = useQueryClient();
  const retry = useMutation({
    mutationFn: () => request(UpdateIntegrationDocument, { id: integrationId, input: { active: true } }),
    onSuccess: async () => {
      for (const document of [IntegrationsDocument, IntegrationDocument])
        await cache.invalidateQueries({ queryKey: keyOf(document) });
    },
    onError: (error) => notifyFailure(texts.integrationNotConnected, error, () => retry.mutate()),
  });
  return (
    <RemovableButton size="small" className={styles.above} isBusy={retry.isPending} onClick={() => retry.mutate()}>
      {common.tryAgain}
    </RemovableButton>
  );
}
