import { serviceNow } from '../../api/service-time.ts';
import { texts } from '../texts.ts';

interface Dated {
  updatedAt: string;
}

interface Group<Item> {
  label: string;
  items: Item[];
}

const dayMs = 86_400_000;

/** Groups items, newest first, into Today, Yesterday, Last 7 days and months, in the reader's time zone. */
export function groupByAge<Item extends Dated>(items: readonly Item[], now = new Date(serviceNow())): Group<Item>[] {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const groups = Map.groupBy(items, ({ updatedAt }) => labelOf(new Date(updatedAt), midnight));
  return Array.from(groups, ([label, items]) => ({ label, items }));
}

function labelOf(date: Date, midnight: number): string {
  if (date.getTime() >= midnight) return texts.today;
  if (date.getTime() >= midnight - dayMs) return texts.yesterday;
  if (date.getTime() >= midnight - 7 * dayMs) return texts.last7Days;
  return date.toLocaleDateString(undefined, { month: 'long', year: 'numeric' });
}
