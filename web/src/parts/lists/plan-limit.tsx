import { PlansLink } from './plans-link.tsx';
import { texts } from '../texts.ts';

interface PlanLimitProps {
  /** What is counted, as a plural noun. */
  things: string;
  count: number;
  /** Negative when there is no limit. */
  limit: number;
}

/** Usage of a plan limit. When it is reached, links to the plans. */
export function PlanLimit({ things, count, limit }: PlanLimitProps) {
  if (limit < 0) return `${count.toLocaleString()} ${things}`;
  const used = texts.ofOfYourPlan(count, limit, things);
  if (count < limit) return used;
  return (
    <>
      {used}. <PlansLink />
    </>
  );
}
