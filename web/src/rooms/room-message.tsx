import { useQueryClient } from '@tanstack/react-query';
import { Copy, Flag, Reply, Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import {
  DeleteRoomMessageDocument,
  RequestTurnDocument,
  type RoomMessageFieldsFragment,
} from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { serviceNow } from '../api/service-time.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { ReportDialog } from '../moderation/report-dialog.tsx';
import { Avatar, hueOf } from '../parts/avatar.tsx';
import { Button } from '../parts/controls/button.tsx';
import { classNames } from '../parts/class-names.ts';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { common } from '../parts/common-texts.ts';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { copyText } from '../parts/values/copy-text.ts';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { eraseMessage } from './room-queries.ts';
import { texts } from './texts.ts';
import messageStyles from '../chat/thread/message.module.css';
import styles from './room-page.module.css';

interface RoomMessageProps {
  roomId: string;
  message: RoomMessageFieldsFragment;
  /** The message that it replies to; null when that is not loaded. */
  referred: RoomMessageFieldsFragment | null | undefined;
  isMine: boolean;
  canDelete: boolean;
  onReply: (message: RoomMessageFieldsFragment) => void;
}

/** A message. The person's own are aligned to the end; those of agents are rendered as Markdown. */
export const RoomMessage = memo(function RoomMessage(props: RoomMessageProps) {
  const { message, referred, isMine } = props;
  const { author, createdAt } = message;
  return (
    <article
      data-row
      tabIndex={-1}
      data-message={message.id}
      className={isMine ? messageStyles.user : classNames(messageStyles.reply, styles.other)}
      aria-label={isMine ? texts.you : author.name}
    >
      {!isMine && (
        <header className={messageStyles.author}>
          <Avatar name={author.name} seed={author.id ?? author.name} picture={author.picture} size={22} />
          <span className={styles.author} data-hue={hueOf(author.id ?? author.name)} dir="auto">
            {author.name}
          </span>
          <TimeAgo date={createdAt} className={messageStyles.time} />
        </header>
      )}
      <div className={styles.said}>
        {referred !== undefined && (
          <p className={styles.quote} dir="auto">
            {referred ? quoteOf(referred) : texts.earlierMessage}
          </p>
        )}
        <Content message={message} isMine={isMine} />
        {message.broken && !message.deleted && <Broken roomId={props.roomId} agentId={author.id} />}
        {message.truncated && <p className={messageStyles.stopped}>{texts.replyCut}</p>}
        {message.citations && message.citations.length > 0 && <Sources citations={message.citations} />}
      </div>
      {!message.deleted && <Actions {...props} />}
    </article>
  );
});

function quoteOf({ author, content, deleted, blocked }: RoomMessageFieldsFragment): string {
  if (blocked) return texts.blockedMessage;
  return texts.said(author.name, deleted ? texts.messageDeleted : content.slice(0, 140));
}

function Content({
  message: { author, content, deleted, blocked },
  isMine,
}: Pick<RoomMessageProps, 'message' | 'isMine'>) {
  const [isShown, setShown] = useState(false);
  if (deleted) return <p className={styles.deleted}>{texts.messageDeleted}</p>;
  if (blocked && !isShown) {
    return (
      <p className={styles.blocked}>
        {texts.blockedMessage}
        <Button size="small" onClick={() => setShown(true)}>
          {texts.showBlocked}
        </Button>
      </p>
    );
  }
  if (author.kind === 'AGENT') {
    return (
      <div className={messageStyles.body}>
        <Markdown text={content} isComplete />
      </div>
    );
  }
  return (
    <div className={isMine ? messageStyles.bubble : styles.text} dir="auto">
      {content}
    </div>
  );
}

/** Says that a reply broke off, and lets its agent reply again. */
function Broken({ roomId, agentId }: { roomId: string; agentId: string | null }) {
  const tryAgain = (): void => {
    request(RequestTurnDocument, { roomId, agentId: agentId ?? '' }).catch((error: unknown) =>
      notifyFailure(texts.notSpoken, error),
    );
  };
  return (
    <p className={messageStyles.stopped}>
      {common.replyBrokeOff}
      {agentId !== null && (
        <Button size="small" onClick={tryAgain}>
          {common.tryAgain}
        </Button>
      )}
    </p>
  );
}

/** The passages that a reply used, collapsed at first. */
const Sources = ({ citations }: { citations: NonNullable<RoomMessageFieldsFragment['citations']> }) => (
  <details className={styles.sources}>
    <summary>{texts.sources(new Set(citations.map(({ documentId }) => documentId)).size)}</summary>
    <ul>
      {citations.map(({ documentId, chunkIndex, filename, excerpt }) => (
        <li key={`${documentId} ${chunkIndex}`}>
          <bdi>{filename}</bdi>
          {excerpt && <p dir="auto">{excerpt}</p>}
        </li>
      ))}
    </ul>
  </details>
);

/** Reserves the size of the actions of the person's own message until it is stored, so that nothing moves then. */
export function ReservedActions() {
  const [sentAt] = useState(() => new Date(serviceNow()).toISOString());
  return (
    <div className={classNames(messageStyles.actions, messageStyles.reserved)} aria-hidden="true">
      <TimeAgo date={sentAt} className={messageStyles.time} />
      <IconButton size="small" label={texts.reply} />
      <IconButton size="small" label={texts.copyText} />
      <IconButton size="small" label={texts.deleteMessage} />
    </div>
  );
}

function Actions({ roomId, message, isMine, canDelete, onReply }: RoomMessageProps) {
  const cache = useQueryClient();
  const [isReporting, setReporting] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <div className={messageStyles.actions} role="group" aria-label={texts.messageActions}>
      {isMine && <TimeAgo date={message.createdAt} className={messageStyles.time} />}
      <IconButton size="small" label={texts.reply} aria-keyshortcuts="r" onClick={() => onReply(message)}>
        <Reply size={16} />
      </IconButton>
      <IconButton
        size="small"
        label={texts.copyText}
        aria-keyshortcuts="c"
        onClick={() => void copyText(message.content)}
      >
        <Copy size={16} />
      </IconButton>
      {!isMine && (
        <IconButton size="small" label={texts.reportMessage} onClick={() => setReporting(true)}>
          <Flag size={16} />
        </IconButton>
      )}
      {canDelete && (
        <IconButton size="small" label={texts.deleteMessage} onClick={() => setDeleting(true)}>
          <Trash2 size={16} />
        </IconButton>
      )}
      <ReportDialog
        isOpen={isReporting}
        subject={{ type: 'ROOM_MESSAGE', id: message.id }}
        onClose={() => setReporting(false)}
      />
      <ConfirmDialog
        isOpen={isDeleting}
        title={texts.askDeleteMessage}
        description={texts.deleteMessageEffect}
        action={common.delete}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await requestRemoval(DeleteRoomMessageDocument, { roomId, messageId: message.id });
          eraseMessage(cache, roomId, message.id);
        }}
      />
    </div>
  );
}
