import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import {
  FeatureAgentDocument,
  FeaturedAgentsDocument,
  ListingDocument,
  MarketplaceHomeDocument,
  StopFeaturingAgentDocument,
} from '../api/generated/operations.ts';
import { keyOf } from '../api/query.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { notify, notifyFailure } from '../parts/layers/toast-store.ts';
import { texts } from './texts.ts';
import { useModerator } from './use-moderator.ts';

/** Lets moderators feature an agent in the marketplace. */
export function FeatureButton({ agentId, isFeatured }: { agentId: string; isFeatured: boolean }) {
  const cache = useQueryClient();
  const isModerator = useModerator();
  const { mutate, isPending } = useMutation({
    mutationFn: async (): Promise<void> => {
      await (isFeatured
        ? request(StopFeaturingAgentDocument, { agentId })
        : request(FeatureAgentDocument, { agentId }));
    },
    onSuccess: async () => {
      for (const document of [MarketplaceHomeDocument, FeaturedAgentsDocument])
        void cache.invalidateQueries({ queryKey: keyOf(document) });
      await cache.invalidateQueries({ queryKey: keyOf(ListingDocument) });
      notify(isFeatured ? texts.featuredNoMore : texts.featuredNow);
    },
    onError: (error) => notifyFailure(texts.notChanged, error),
  });
  if (!isModerator) return null;
  return (
    <Button isBusy={isPending} onClick={() => mutate()}>
      <Sparkles size={16} />
      {isFeatured ? texts.stopFeaturing : texts.feature}
    </Button>
  );
}
