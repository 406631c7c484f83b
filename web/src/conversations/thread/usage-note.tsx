import { useQuery } from '@tanstack/react-query';
import { UsageDocument } from '../../api/generated/operations.ts';
import { query } from '../../api/query.ts';
import { fillIn } from '../../parts/values/fill-in.tsx';
import { PlansLink } from '../../parts/lists/plans-link.tsx';
import { texts } from '../texts.ts';
import styles from '../conversation-page.module.css';

const shownFrom = 0.8;

/** Shown once 80 % of the daily messages are used: how many are left and when the count resets. */
export function UsageNote() {
  const { data } = useQuery(query(UsageDocument, {}));
  if (!data) return null;
  const { messagesSent, messagesLimit } = data.usage.usage;
  if (messagesLimit < 0 || messagesSent < messagesLimit * shownFrom) return null;
  const reset = new Date(data.usage.periodEnd).toLocaleTimeString(undefined, { timeStyle: 'short' });
  return (
    <p className={styles.usage} role="status">
      {fillIn(texts.messagesUsedTodayCount, {
        messagesSent,
        messagesLimit,
        reset,
        messagesSent2: messagesSent >= messagesLimit && <PlansLink />,
      })}
    </p>
  );
}
