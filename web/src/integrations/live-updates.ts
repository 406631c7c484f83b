import { IntegrationDocument, IntegrationEventsDocument, IntegrationsDocument } from '../api/generated/operations.ts';
import { type LiveUpdates, textIn } from '../api/live-events.ts';
import { keyOf } from '../api/query.ts';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { ApiError } from '../api/api-error.ts';
import { texts } from './live-texts.ts';

const readAgain: LiveUpdates[keyof LiveUpdates] = (cache) => {
  for (const document of [IntegrationsDocument, IntegrationDocument, IntegrationEventsDocument])
    void cache.invalidateQueries({ queryKey: keyOf(document) });
};

export const integrationUpdates: LiveUpdates = {
  INTEGRATION_CONNECTED: readAgain,
  INTEGRATION_DISCONNECTED: readAgain,
  INTEGRATION_ERROR: (cache, event) => {
    readAgain(cache, event);
    const { error } = event.data as { error?: { message?: unknown } };
    const message = typeof error?.message === 'string' ? error.message : texts.openSeeReason;
    notifyFailure(texts.integrationStopped, new ApiError(textIn(event, 'id'), message));
  },
};
