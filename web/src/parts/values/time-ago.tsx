import { useMinute } from './minute.ts';
import { serviceNow } from '../../api/service-time.ts';
import { texts } from '../texts.ts';

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "3 minutes ago", with the exact time on hover. */
export function TimeAgo({ date, className }: { date: string; className?: string | undefined }) {
  useMinute();
  return (
    <time dateTime={date} title={exactTime(date)} className={className}>
      {timeAgo(date)}
    </time>
  );
}

// Created once, because creating them takes longer than everything else that a message shows.
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

export const exactTime = (date: string): string => exact.format(new Date(date));

function timeAgo(date: string): string {
  const seconds = (Date.parse(date) - serviceNow()) / 1000;
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['minute', 60];
  // Tolerate small differences between clocks.
  if (seconds > 3 && seconds < 60) return texts.inAMoment;
  return Math.abs(seconds) < 60 ? texts.justNow : relative.format(Math.round(seconds / length), unit);
}
