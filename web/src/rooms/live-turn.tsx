import { Square, X } from 'lucide-react';
import { memo } from 'react';
import { type RoomQuery, StopTurnDocument } from '../api/generated/operations.ts';
import { request } from '../api/request.ts';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { Avatar, hueOf } from '../parts/avatar.tsx';
import { classNames } from '../parts/class-names.ts';
import { IconButton } from '../parts/controls/icon-button.tsx';
import { notifyFailure } from '../parts/layers/toast-store.ts';
import { isFailed, type LiveTurn } from './live-room.ts';
import { agentOf } from './names.ts';
import { texts } from './texts.ts';
import messageStyles from '../chat/thread/message.module.css';
import styles from './room-page.module.css';

interface LiveTurnViewProps {
  room: RoomQuery['room'];
  turn: LiveTurn;
  canStop: boolean;
  onDismiss: () => void;
}

/** A reply that is not stored: queued, growing, or the reason why there is none. */
export const LiveTurnView = memo(function LiveTurnView({ room, turn, canStop, onDismiss }: LiveTurnViewProps) {
  const { name, picture } = agentOf(room, turn.agentId);
  const isRunning = turn.state === 'RUNNING';
  const stop = (): void => {
    request(StopTurnDocument, { roomId: room.id, turnId: turn.id }).catch((error: unknown) =>
      notifyFailure(texts.notStopped, error),
    );
  };
  return (
    <article
      data-row
      tabIndex={-1}
      className={classNames(messageStyles.reply, styles.other)}
      aria-label={name}
      aria-busy={!isFailed(turn)}
    >
      <header className={messageStyles.author}>
        <Avatar name={name} seed={turn.agentId} picture={picture} size={22} />
        <span className={styles.author} data-hue={hueOf(turn.agentId)} dir="auto">
          {name}
        </span>
        {!isFailed(turn) && <span className={messageStyles.time}>{isRunning ? texts.writes : texts.waits}</span>}
      </header>
      <div className={styles.said}>
        {(isRunning || turn.text !== '') && (
          <div className={messageStyles.body}>
            <Markdown text={turn.text} isComplete={isFailed(turn)} />
            {isRunning && <span className={messageStyles.caret} aria-hidden="true" />}
          </div>
        )}
        {isFailed(turn) && (
          <p className={styles.failed} role="alert">
            {turn.error?.message ?? texts.noReply}
            <IconButton size="small" label={texts.dismiss} onClick={onDismiss}>
              <X size={14} />
            </IconButton>
          </p>
        )}
      </div>
      <div className={styles.stop} role="group" aria-label={texts.messageActions}>
        {canStop && (
          <IconButton size="small" label={texts.stopNamed(name)} onClick={stop}>
            <Square size={12} fill="currentColor" />
          </IconButton>
        )}
      </div>
    </article>
  );
});
