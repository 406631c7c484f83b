import type { ReactNode } from 'react';
import type { DecisionPartsFragment } from '../api/generated/operations.ts';
import { fillIn } from '../parts/values/fill-in.tsx';
import { Chip, Status } from '../parts/figures/status.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { decisionStates, outcomeNames, reasonName } from './names.ts';
import { texts } from './texts.ts';
import styles from './moderation.module.css';

interface DecisionItemProps {
  decision: DecisionPartsFragment;
  /** The subject, where the page does not name it. */
  subject?: ReactNode;
  /** Whether the subject belongs to the person who sees it. */
  isOwn?: boolean;
  children?: ReactNode;
}

/** A decision with its reasons and its appeal. */
export function DecisionItem({ decision, subject, isOwn = false, children }: DecisionItemProps) {
  const { action, reason, statement, automated, createdAt, appeal } = decision;
  const [tone, name] = decisionStates[action];
  return (
    <article className={styles.item} aria-label={name}>
      <header>
        <Status tone={tone}>{name}</Status>
        {subject && <strong>{subject}</strong>}
        <span className={styles.hint}>{reasonName(reason)}</span>
        {automated && (
          <span title={texts.automaticHint}>
            <Chip>{texts.automatic}</Chip>
          </span>
        )}
        <TimeAgo date={createdAt} className={styles.hint} />
      </header>
      <p dir="auto" className={styles.text}>
        {statement}
      </p>
      {appeal && (
        <div className={styles.appeal}>
          <p dir="auto" className={styles.text}>
            {appeal.text}
          </p>
          <p className={styles.hint}>
            {appeal.outcome && appeal.decidedAt
              ? fillIn(isOwn ? texts.ownAppealDecided : texts.appealDecided, {
                  time: <TimeAgo date={appeal.decidedAt} />,
                  outcome: outcomeNames[appeal.outcome],
                })
              : fillIn(isOwn ? texts.ownAppealWaits : texts.appealed, { time: <TimeAgo date={appeal.createdAt} /> })}
          </p>
        </div>
      )}
      {children}
    </article>
  );
}
