import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DeleteReviewDocument, ListingDocument, ReviewsDocument } from '../api/generated/operations.ts';
import { keyOf, pagedQuery } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { ListStates } from '../parts/lists/list-states.tsx';
import type { ShownListing } from './shown-listing.ts';
import { ReviewDialog } from './review-dialog.tsx';
import { ReviewItem } from './review-item.tsx';
import { texts } from './texts.ts';
import styles from './marketplace.module.css';

interface ReviewsProps {
  listing: ShownListing;
  isSignedIn: boolean;
}

/** The reviews of an agent, and the person's own. */
export function Reviews({ listing, isSignedIn }: ReviewsProps) {
  const { agentId, isMine, myReview } = listing;
  const cache = useQueryClient();
  const [isWriting, setWriting] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const list = useInfiniteQuery(
    pagedQuery(ReviewsDocument, { agentId }, ({ reviews: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
  );
  const refresh = async (): Promise<void> => {
    for (const document of [ListingDocument, ReviewsDocument])
      await cache.invalidateQueries({ queryKey: keyOf(document) });
  };
  const reviews = list.data?.pages.flatMap((page) => page.reviews.data);
  return (
    <section className={styles.section} aria-label={texts.reviews}>
      <header className={styles.headline}>
        <h2>{texts.reviews}</h2>
        {isSignedIn && !isMine && (
          <div className={styles.actions}>
            <Button onClick={() => setWriting(true)}>{myReview ? texts.editReview : texts.writeReview}</Button>
            {myReview && <Button onClick={() => setDeleting(true)}>{common.delete}</Button>}
          </div>
        )}
      </header>
      {reviews?.length === 0 && <p className={styles.hint}>{texts.noReviewYet}</p>}
      {reviews && reviews.length > 0 && (
        <ul className={styles.list}>
          {reviews.map((review) => (
            <li key={review.id} data-row tabIndex={-1}>
              <ReviewItem review={review} canReply={isMine} onChanged={refresh} />
            </li>
          ))}
        </ul>
      )}
      <ListStates list={list} />
      <ReviewDialog
        isOpen={isWriting}
        agentId={agentId}
        review={myReview ?? null}
        onClose={() => setWriting(false)}
        onSaved={refresh}
      />
      <ConfirmDialog
        isOpen={isDeleting}
        title={texts.deleteReview}
        description={texts.deleteReviewEffect}
        action={common.delete}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await requestRemoval(DeleteReviewDocument, { agentId });
          await refresh();
        }}
      />
    </section>
  );
}
