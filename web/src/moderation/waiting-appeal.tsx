import { fillIn } from '../parts/values/fill-in.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import type { CaseFile } from './case-file.ts';
import { texts } from './texts.ts';
import styles from './moderation.module.css';

/** The pending appeal of a case, shown with the form that decides it. */
export function WaitingAppeal({ file: { case: found, decisions } }: { file: CaseFile }) {
  const appeal = decisions.find((decision) => decision.appeal && !decision.appeal.outcome)?.appeal;
  if (!found.appealedAt) return null;
  return (
    <div className={styles.notice}>
      <p>{fillIn(texts.appealWaits, { time: <TimeAgo date={found.appealedAt} /> })}</p>
      {appeal && (
        <blockquote dir="auto" aria-label={texts.appealOf}>
          {appeal.text}
        </blockquote>
      )}
    </div>
  );
}
