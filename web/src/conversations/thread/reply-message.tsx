import { memo, Suspense } from 'react';
import type { PicturePartsFragment, ThreadMessageFragment } from '../../api/generated/operations.ts';
import { Markdown } from '../../chat/markdown/markdown.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { classNames } from '../../parts/class-names.ts';
import { common } from '../../parts/common-texts.ts';
import { later } from '../../parts/layers/later.ts';
import { TimeAgo } from '../../parts/values/time-ago.tsx';
import { ReplyActions } from './reply-actions.tsx';
import { useSources } from '../sources/sources.ts';
import { texts } from '../texts.ts';
import styles from '../../chat/thread/message.module.css';
import pageStyles from '../conversation-page.module.css';

const Citations = later(() => import('../sources/citations.tsx'));

interface ReplyMessageProps {
  conversationId: string;
  agentName: string;
  agentPicture: PicturePartsFragment | null;
  /** Null while it is generated. */
  message: ThreadMessageFragment | null;
  text: string;
  canChange?: boolean;
}

/** A reply as Markdown, without a bubble. The elements are kept when a growing reply becomes the stored one. */
export const ReplyMessage = memo(function ReplyMessage(props: ReplyMessageProps) {
  const { conversationId, agentName, agentPicture, message, text, canChange = false } = props;
  const sources = useSources(message?.citations);
  const isGrowing = message === null;
  return (
    <article
      data-row
      tabIndex={-1}
      className={styles.reply}
      data-message={message?.id}
      aria-label={agentName}
      aria-busy={isGrowing}
    >
      <header className={classNames(styles.author, pageStyles.author)}>
        <Avatar name={agentName} picture={agentPicture} size={22} />
        <span dir="auto">{agentName}</span>
        {message && <TimeAgo date={message.createdAt} className={styles.time} />}
      </header>
      <div className={styles.body}>
        <Markdown text={text} isComplete={!isGrowing} sources={sources} />
        {isGrowing && <span className={styles.caret} aria-hidden="true" />}
      </div>
      {message?.broken && <p className={styles.stopped}>{common.replyBrokeOff}</p>}
      {message?.generation?.stopped && <p className={styles.stopped}>{texts.stopped}</p>}
      {message?.citations && (
        <Suspense fallback={null}>
          <Citations citations={message.citations} />
        </Suspense>
      )}
      {message ? (
        <ReplyActions conversationId={conversationId} message={message} canChange={canChange} />
      ) : (
        <div className={styles.actions} />
      )}
    </article>
  );
});
