import { withPart } from '../../lint/docs/generated-parts.ts';
import type { BatchRate } from './batches.ts';
import type { ReadTimes } from './lists.ts';
import { messagesOfOne, type ScaleSize } from './parts.ts';

export interface ScaleResults {
  size: ScaleSize;
  reads: readonly ReadTimes[];
  batches: readonly BatchRate[];
}

/** Duration of the conversion of messages and generations to partitions, and reads before and after it. */
export interface PartitionResults {
  size: ScaleSize;
  partitions: number;
  rows: number;
  seconds: number;
  lockedMs: number;
  before: readonly ReadTimes[];
  after: readonly ReadTimes[];
}

const number = (value: number): string => Math.round(value).toLocaleString('en');
function duration(seconds: number): string {
  if (seconds < 90) return `${number(Math.max(seconds, 1))} s`;
  return seconds < 5_400 ? `${number(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}

/** Returns the results as Markdown tables. */
export const tablesOf = ({ size, reads, batches }: ScaleResults): string[] => [
  `With ${number(size.messages)} messages, ${number(messagesOfOne(size))} of them of one account, and ${number(size.accounts)} accounts:`,
  '',
  '| read | p50 | p95 |',
  '| --- | ---: | ---: |',
  ...reads.map(({ what, p50, p95 }) => `| ${what} | ${p50.toFixed(1)} ms | ${p95.toFixed(1)} ms |`),
  '',
  '| batch, in one process | rows | rows per second | with a million accounts | time | must finish within |',
  '| --- | ---: | ---: | ---: | ---: | ---: |',
  ...batches.map(({ what, rows, seconds, rowsOfMillion, withinHours }) => {
    const rate = rows / seconds;
    const time = duration(rowsOfMillion / rate);
    return `| ${what} | ${number(rows)} | ${number(rate)} | ${number(rowsOfMillion)} rows | ${time} | ${duration(withinHours * 3_600)} |`;
  }),
];

const ms = (value: number): string => `${value.toFixed(1)} ms`;

/** Returns the results of a conversion as a Markdown table. */
export const partitionTable = ({
  size,
  partitions,
  rows,
  seconds,
  lockedMs,
  before,
  after,
}: PartitionResults): string[] => [
  `With ${number(size.messages)} messages, ${number(messagesOfOne(size))} of them of one account, in ${partitions} partitions. The conversion took ` +
    `${duration(seconds)}, which is ${number(rows / seconds)} rows a second; writers waited ${number(lockedMs)} ms.`,
  '',
  '| read | one table: p50 | p95 | partitions: p50 | p95 |',
  '| --- | ---: | ---: | ---: | ---: |',
  ...before.map(({ what, p50, p95 }, i) => {
    const other = after[i] ?? { p50: Number.NaN, p95: Number.NaN };
    return `| ${what} | ${ms(p50)} | ${ms(p95)} | ${ms(other.p50)} | ${ms(other.p95)} |`;
  }),
];

/** Replaces the tables between the markers of a page. */
export const withTables = (page: string, results: ScaleResults): string => withPart(page, 'scale', tablesOf(results));

/** Replaces the table of a conversion between the markers of a page. */
export const withPartitionTable = (page: string, results: PartitionResults): string =>
  withPart(page, 'partitions', partitionTable(results));
