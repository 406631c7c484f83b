import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ActivityType } from '../api/generated/operations.ts';
import { Avatar } from '../parts/avatar.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import type { FeedEntry } from './feed-query.ts';
import { texts } from './texts.ts';
import styles from './social.module.css';

const sentences = {
  AGENT_PUBLISHED: texts.publishedAgent,
  AGENT_SHARED: texts.sharedAgent,
  CONVERSATION_SHARED: texts.sharedConversation,
  SUGGESTION: texts.byMaker,
} as const satisfies Record<ActivityType, string>;

/** An item of the feed: actor, action and subject. */
export const FeedItem = ({ item: { type, actor, agent, share, createdAt } }: { item: FeedEntry }) => (
  <article className={styles.activity}>
    <header>
      <Avatar name={actor?.displayName ?? actor?.username ?? ''} picture={actor?.picture} size={28} />
      <div>
        <span>
          {fillIn(sentences[type], {
            name: actor ? (
              <Link to="/users/$username" params={{ username: actor.username }}>
                <bdi>{actor.displayName ?? actor.username}</bdi>
              </Link>
            ) : (
              texts.accountGone
            ),
          })}
        </span>
        {type !== 'SUGGESTION' && <TimeAgo date={createdAt} className={styles.hint} />}
      </div>
    </header>
    {share?.note && (
      <p dir="auto" className={styles.text}>
        {share.note}
      </p>
    )}
    {share?.type === 'CONVERSATION' ? (
      <Subject details={texts.messages(share.messageCount)}>
        <Link to="/share/$token" params={{ token: share.id }} data-row dir="auto">
          {share.title ?? texts.defaultTitle}
        </Link>
      </Subject>
    ) : (
      agent && (
        <Subject
          picture={<Avatar name={agent.name} picture={agent.picture} size={40} />}
          details={agent.description ?? ''}
        >
          <Link to="/marketplace/$slugOrId" params={{ slugOrId: agent.id }} data-row dir="auto">
            {agent.name}
          </Link>
        </Subject>
      )
    )}
  </article>
);

interface SubjectProps {
  picture?: ReactNode;
  details: string;
  /** Link to the subject. */
  children: ReactNode;
}

const Subject = ({ picture, details, children }: SubjectProps) => (
  <div className={styles.subject}>
    {picture}
    <div>
      {children}
      {details && (
        <p dir="auto" className={styles.hint}>
          {details}
        </p>
      )}
    </div>
  </div>
);
