import { useQuery } from '@tanstack/react-query';
import { UsageDocument } from '../../api/generated/operations.ts';
import { query } from '../../api/query.ts';
import { Meter } from '../../parts/figures/meter.tsx';
import { texts } from '../texts.ts';

/** Messages sent today, against the limit of the plan. */
export function UsageMeter() {
  const { data } = useQuery(query(UsageDocument, {}));
  if (!data) return null;
  const { messagesSent, messagesLimit } = data.usage.usage;
  return <Meter label={texts.messagesToday} value={messagesSent} limit={messagesLimit} />;
}
