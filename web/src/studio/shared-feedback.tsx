import { useInfiniteQuery } from '@tanstack/react-query';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { SharedFeedbackDocument, type SharedFeedbackQuery } from '../api/generated/operations.ts';
import { pagedQuery } from '../api/query.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { texts } from './texts.ts';
import styles from './studio.module.css';

type Item = SharedFeedbackQuery['sharedFeedback']['data'][number];

/** Rated replies that people chose to share with the creator. */
export function SharedFeedback({ agentId }: { agentId: string }) {
  const list = useInfiniteQuery(
    pagedQuery(SharedFeedbackDocument, { agentId }, ({ sharedFeedback: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
  );
  const items = list.data?.pages.flatMap((page) => page.sharedFeedback.data);
  return (
    <section className={styles.section} aria-labelledby="shared-feedback">
      <h2 id="shared-feedback">{texts.sharedFeedback}</h2>
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!items && !list.error && <Skeleton lines={['100%', '100%']} height={56} />}
      {items?.length === 0 && <p className={styles.hint}>{texts.nothingSharedYetPeople}</p>}
      {items && items.length > 0 && (
        <ul className={styles.list}>
          {items.map((item) => (
            <li key={item.messageId}>
              <FeedbackItem item={item} />
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {common.more}
        </Button>
      )}
    </section>
  );
}

function FeedbackItem({ item: { rating, comment, question, reply, versionNumber, sharedAt } }: { item: Item }) {
  const [label, Icon] =
    rating === 'UP' ? ([texts.goodReply, ThumbsUp] as const) : ([texts.badReply, ThumbsDown] as const);
  return (
    <article className={styles.feedback} aria-label={label}>
      <p className={styles.rating}>
        <Icon size={16} aria-hidden="true" /> <strong>{label}</strong>
        <span className={styles.hint}>
          {typeof versionNumber === 'number' && texts.version3(versionNumber)}
          <TimeAgo date={sharedAt} />
        </span>
      </p>
      {comment && <p dir="auto">{comment}</p>}
      <details>
        <summary>{texts.showReply}</summary>
        <dl>
          {question && (
            <>
              <dt>{common.message}</dt>
              <dd dir="auto">{question}</dd>
            </>
          )}
          <dt>{texts.reply}</dt>
          <dd dir="auto">{reply}</dd>
        </dl>
      </details>
    </article>
  );
}
