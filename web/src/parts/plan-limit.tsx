import { PlansLink } from './plans-link.tsx';
import { texts } from './texts.ts';

interface PlanLimitProps {
  /** What is counted, in the plural. */
  things: string;
  count: number;
  /** Below zero: there is none. */
  limit: number;
}

/** How much of a plan is used. At its limit it leads to the plans. */
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
