import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { Copy, Flag, Heart, Pencil } from 'lucide-react';
import { useState } from 'react';
import {
  AgentsDocument,
  CopyAgentDocument,
  LikeDocument,
  LikesDocument,
  ListingDocument,
  UnlikeDocument,
} from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { FeatureButton } from '../moderation/feature-button.tsx';
import { ReportDialog } from '../moderation/report-dialog.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { notify, notifyFailure } from '../parts/layers/toast-store.ts';
import { ShareAgent } from '../social/share-agent.tsx';
import type { ShownListing } from './shown-listing.ts';
import { texts } from './texts.ts';
import styles from './marketplace.module.css';

interface ListingActionsProps {
  listing: ShownListing;
  isSignedIn: boolean;
}

/** Actions on an agent other than chatting with it. */
export function ListingActions({ listing, isSignedIn }: ListingActionsProps) {
  const { href } = useLocation();
  const [isReporting, setReporting] = useState(false);
  const { agentId, isMine, allowCopies, status } = listing;
  // Only the owner receives the status. For others, a listing that loads is open.
  const isOpen = !status || status === 'LISTED' || status === 'HELD';
  return (
    <div className={styles.actions}>
      {isSignedIn && <LikeButton listing={listing} />}
      {isSignedIn && isOpen && <ShareAgent agentId={agentId} />}
      {isSignedIn && (allowCopies || isMine) && <CopyButton agentId={agentId} />}
      {isMine && (
        <ButtonLink to="/agents/$agentId/listing" params={{ agentId }}>
          <Pencil size={16} />
          {texts.editListing}
        </ButtonLink>
      )}
      {!isMine && (
        <Button onClick={() => setReporting(true)}>
          <Flag size={16} />
          {texts.report}
        </Button>
      )}
      {isOpen && <FeatureButton agentId={agentId} isFeatured={listing.featured} />}
      {!isSignedIn && (
        <ButtonLink to="/sign-in" search={{ next: href }} variant="quiet">
          {texts.signInTo}
        </ButtonLink>
      )}
      <ReportDialog
        isOpen={isReporting}
        subject={{ type: 'AGENT', id: agentId }}
        picture={listing.picture?.medium}
        banner={listing.bannerUrl}
        onClose={() => setReporting(false)}
      />
    </div>
  );
}

/** Likes with an optimistic update, which a failure rolls back and reports. */
function LikeButton({ listing }: { listing: ShownListing }) {
  const cache = useQueryClient();
  const { agentId, slug, liked } = listing;
  const { queryKey } = query(ListingDocument, { id: slug });
  /** Counts from what is shown by then: the listing may have changed since this was rendered. */
  const show = (isLiked: boolean): void =>
    void cache.setQueryData(queryKey, (known) => {
      if (!known) return known;
      const likeCount = known.listing.likeCount + Number(isLiked) - Number(known.listing.liked === true);
      return { listing: { ...known.listing, liked: isLiked, likeCount } };
    });
  const { mutate, isPending } = useMutation<unknown, Error, boolean>({
    mutationFn: (isLiked) => (isLiked ? request(LikeDocument, { agentId }) : request(UnlikeDocument, { agentId })),
    onMutate: async (isLiked) => {
      // A response on its way has the old value.
      await cache.cancelQueries({ queryKey });
      show(isLiked);
    },
    onError: (error, isLiked) => {
      show(!isLiked);
      notifyFailure(texts.likeFailed, error);
    },
    onSettled: () => {
      for (const key of [queryKey, keyOf(LikesDocument)]) void cache.invalidateQueries({ queryKey: key });
    },
  });
  return (
    <Button aria-pressed={liked === true} isBusy={isPending} onClick={() => mutate(liked !== true)}>
      <Heart size={16} fill={liked ? 'currentColor' : 'none'} />
      {liked ? texts.unlike : texts.like}
    </Button>
  );
}

function CopyButton({ agentId }: { agentId: string }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: () => request(CopyAgentDocument, { agentId }),
    onSuccess: async ({ copyAgent: { id } }) => {
      void cache.invalidateQueries({ queryKey: keyOf(AgentsDocument) });
      notify(texts.agentCopied);
      await navigate({ to: '/agents/$agentId/edit', params: { agentId: id } });
    },
    onError: (error) => notifyFailure(texts.likeFailed, error),
  });
  return (
    <Button isBusy={isPending} onClick={() => mutate()}>
      <Copy size={16} />
      {texts.copy}
    </Button>
  );
}
