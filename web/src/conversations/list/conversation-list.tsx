import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Archive } from 'lucide-react';
import { useState } from 'react';
import type { ConversationsQuery } from '../../api/generated/operations.ts';
import { useIsHeldUp, useIsWriting } from '../../chat/replies/live-replies.ts';
import { Button } from '../../parts/controls/button.tsx';
import { common } from '../../parts/common-texts.ts';
import { ErrorNote } from '../../parts/lists/error-note.tsx';
import { Skeleton } from '../../parts/lists/skeleton.tsx';
import { texts } from '../texts.ts';
import { conversationsQuery } from '../thread/thread-query.ts';
import { groupByAge } from './group-by-age.ts';
import styles from './conversation-list.module.css';

type Listed = ConversationsQuery['conversations']['data'][number];

/** Pinned conversations, then the others grouped by age; or the archived ones. */
export function ConversationList() {
  const [isArchive, setArchive] = useState(false);
  const list = useInfiniteQuery(conversationsQuery(isArchive ? 'ARCHIVED' : 'OPEN'));
  const pinned = useInfiniteQuery({ ...conversationsQuery('PINNED'), enabled: !isArchive });
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = list;
  const conversations = data?.pages.flatMap((page) => page.conversations.data) ?? [];
  const unpinned = conversations.filter(({ pinnedAt }) => isArchive || pinnedAt === null);
  const pins = isArchive ? [] : (pinned.data?.pages.flatMap((page) => page.conversations.data) ?? []);
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return (
    <nav aria-label={isArchive ? texts.archivedConversations : common.conversations} className={styles.list}>
      {!data && <Skeleton lines={['70%', '55%', '80%', '60%']} />}
      {pins.length > 0 && <Group label={texts.pinned} items={pins} />}
      {groupByAge(unpinned).map(({ label, items }) => (
        <Group key={label} label={label} items={items} />
      ))}
      {isArchive && data && conversations.length === 0 && <p className={styles.label}>{texts.nothingArchived}</p>}
      {hasNextPage && (
        <Button size="small" variant="quiet" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {common.more}
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        className={styles.archive}
        aria-pressed={isArchive}
        onClick={() => setArchive(!isArchive)}
      >
        <Archive size={16} />
        {texts.archived}
      </Button>
    </nav>
  );
}

const Group = ({ label, items }: { label: string; items: readonly Listed[] }) => (
  <section aria-label={label}>
    <h2 className={styles.label}>{label}</h2>
    <ul>
      {items.map(({ id, title, lastMessage }) => (
        <li key={id} className={styles.row}>
          <ConversationLink id={id} title={title ?? texts.newConversation} excerpt={lastMessage?.excerpt} />
        </li>
      ))}
    </ul>
  </section>
);

interface ConversationLinkProps {
  id: string;
  title: string;
  /** Start of the last message, shown on hover. */
  excerpt: string | undefined;
}

function ConversationLink({ id, title, excerpt }: ConversationLinkProps) {
  const isWriting = useIsWriting(id);
  const isHeldUp = useIsHeldUp(id);
  return (
    <Link
      to="/chat/$conversationId"
      params={{ conversationId: id }}
      className={styles.link}
      activeProps={{ className: styles.active }}
      dir="auto"
      title={excerpt}
    >
      <span className={styles.title}>{title}</span>
      {isWriting && !isHeldUp && <span className={styles.dot} role="img" aria-label={texts.replyBeingWritten} />}
    </Link>
  );
}
