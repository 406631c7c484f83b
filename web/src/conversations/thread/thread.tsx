import { ArrowDown } from 'lucide-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { ConversationQuery } from '../../api/generated/operations.ts';
import { useRetry } from '../../api/use-retry.ts';
import { useLiveReply } from '../../chat/replies/live-replies.ts';
import { Button } from '../../parts/controls/button.tsx';
import { common } from '../../parts/common-texts.ts';
import { ErrorNote } from '../../parts/lists/error-note.tsx';
import { Skeleton } from '../../parts/lists/skeleton.tsx';
import { MoreMessages } from '../../chat/thread/more-messages.tsx';
import { LiveStatus } from './live-status.tsx';
import { Queue } from './queue.tsx';
import { ReplyAnnouncer } from '../../chat/replies/reply-announcer.tsx';
import { ReplyMessage } from './reply-message.tsx';
import { texts } from '../texts.ts';
import { anchorOf, threadItems } from './thread-items.ts';
import { messagesQuery, reloadThread } from './thread-query.ts';
import { UnansweredNote } from './unanswered-note.tsx';
import { useFoundMessage } from './use-found-message.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useMessageShortcuts } from './use-message-shortcuts.ts';
import { useThreadScroll } from '../../chat/thread/use-thread-scroll.ts';
import { UserMessage } from './user-message.tsx';
import styles from '../../chat/thread/thread.module.css';

interface ThreadProps {
  conversation: ConversationQuery['conversation'];
  /** Id of the message to open the thread at, and the search that found it. */
  found: { m?: string | undefined; q?: string | undefined };
  editingId: string | null;
  /** Replies are spoken, so they are not announced to screen readers. */
  isTalking: boolean;
  onEdit: (messageId: string | null) => void;
  /** Called with the text of a cancelled message, for the composer. */
  onTakeBack: (content: string) => void;
  /** Called when an action removed the focused control and its message. */
  onFocusLost: () => void;
}

/** The loaded messages and the reply that is being generated. */
export function Thread(props: ThreadProps) {
  const { conversation, found, editingId, isTalking, onEdit, onTakeBack, onFocusLost } = props;
  const { id } = conversation;
  useMessageShortcuts();
  const cache = useQueryClient();
  const pages = useInfiniteQuery(messagesQuery(id));
  useRetry(pages.data ? null : pages.error, () => void pages.refetch());
  const running = useLiveReply(id);
  // It follows the newest message, so it is shown only when that is loaded.
  const live = pages.hasPreviousPage ? null : running;
  const messages = pages.data?.pages.flatMap((page) => page.messages.data).toReversed() ?? [];
  const items = threadItems(messages, live);
  const { scroller, content, spacer, canGoToEnd, goToEnd } = useThreadScroll(
    anchorOf(items, live),
    pages.data !== undefined,
    found.m !== undefined,
  );
  useKeptFocus(scroller, onFocusLost);
  const open = (messageId: string): void => void reloadThread(cache, id, messageId);
  useFoundMessage(found, messages, pages.isFetching, open, scroller);
  const toTheEnd = async (): Promise<void> => {
    if (pages.hasPreviousPage) await reloadThread(cache, id);
    goToEnd();
  };
  const agentName = conversation.agent?.name ?? common.agent;
  const canChange = !running || running.status === 'failed';
  if (pages.error && !pages.data) return <ErrorNote error={pages.error} onRetry={() => void pages.refetch()} />;
  return (
    <>
      {!isTalking && <ReplyAnnouncer agentName={agentName} live={running} />}
      <div
        ref={scroller}
        className={styles.scroller}
        role="log"
        aria-live="off"
        aria-label={common.messages}
        tabIndex={0}
      >
        <div ref={content} className={styles.content}>
          {!pages.data && !running?.question && <Skeleton lines={['40%', '90%', '85%', '60%', '35%', '80%']} />}
          <MoreMessages
            label={texts.earlierMessages}
            side="before"
            hasMore={pages.hasNextPage}
            isLoading={pages.isFetchingNextPage}
            edge={messages[0]?.id}
            onLoad={() => void pages.fetchNextPage()}
            scroller={scroller}
          />
          {items.map(({ key, role, text, message }, index) =>
            role === 'USER' ? (
              <UserMessage
                key={key}
                itemKey={key}
                conversationId={id}
                message={message}
                text={text}
                isEditing={message !== null && editingId === message.id}
                isUnanswered={items[index + 1]?.role === 'USER'}
                canChange={canChange}
                onEdit={onEdit}
              />
            ) : (
              <ReplyMessage
                key={key}
                conversationId={id}
                agentName={agentName}
                agentPicture={conversation.agent?.picture ?? null}
                message={message}
                text={text}
                canChange={canChange}
              />
            ),
          )}
          <MoreMessages
            label={texts.laterMessages}
            side="after"
            hasMore={pages.hasPreviousPage}
            isLoading={pages.isFetchingPreviousPage}
            edge={messages.at(-1)?.id}
            onLoad={() => void pages.fetchPreviousPage()}
            scroller={scroller}
          />
          {live && <LiveStatus conversationId={id} live={live} onTakeBack={onTakeBack} />}
          {!running && !pages.hasPreviousPage && <UnansweredNote conversation={conversation} messages={messages} />}
          <Queue
            conversationId={id}
            sentKey={running?.unsentKey ?? null}
            isBlocked={running?.status === 'failed'}
            onEdit={onTakeBack}
            onReopen={onEdit}
          />
        </div>
        <div ref={spacer} aria-hidden="true" />
      </div>
      {(canGoToEnd || pages.hasPreviousPage) && (
        <div className={styles.end}>
          <Button size="small" onClick={() => void toTheEnd()}>
            <ArrowDown size={14} />
            {texts.toTheEnd}
          </Button>
        </div>
      )}
    </>
  );
}
