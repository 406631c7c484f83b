import { texts } from '../texts.ts';

export type ChartColor = 'accent' | 'good' | 'bad' | 'warn' | 'info' | 'muted';

export interface ChartSeries {
  label: string;
  color: ChartColor;
  /** One for each time; null where nothing was measured. */
  values: readonly (number | null)[];
}

export interface ChartData {
  /** ISO 8601, the start of each bucket. Days and weeks are in UTC. */
  times: readonly string[];
  bucket: 'hour' | 'day' | 'week';
  series: readonly ChartSeries[];
  /** Bars are stacked, the first series at the bottom; lines are not. */
  kind: 'bars' | 'lines';
  formatValue: (value: number) => string;
}

/** Returns the label of a bucket in tables and below the chart. */
export function bucketName(time: string, bucket: ChartData['bucket']): string {
  const date = new Date(time);
  if (bucket === 'hour') return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  const day = date.toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
  return bucket === 'week' ? texts.weekOf(day) : day;
}

export const bucketTitles = { hour: texts.hour, day: texts.day, week: texts.week } as const;
