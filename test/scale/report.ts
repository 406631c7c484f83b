import { withPart } from '../../lint/docs/generated-parts.ts';
import type { BatchRate } from './batches.ts';
import type { ReadTimes } from './lists.ts';

export interface ScaleResults {
  size: { accounts: number; messages: number };
  reads: readonly ReadTimes[];
  batches: readonly BatchRate[];
}

const number = (value: number): string => Math.round(value).toLocaleString('en');
const duration = (seconds: number): string =>
  seconds < 90
    ? `${number(Math.max(seconds, 1))} s`
    : seconds < 5_400
      ? `${number(seconds / 60)} min`
      : `${(seconds / 3_600).toFixed(1)} h`;

/** The results as tables of Markdown. */
export const tablesOf = ({ size, reads, batches }: ScaleResults): string[] => [
  `With ${number(size.messages)} messages, half of them of one account, and ${number(size.accounts)} accounts:`,
  '',
  '| read | p50 | p95 |',
  '| --- | ---: | ---: |',
  ...reads.map(({ what, p50, p95 }) => `| ${what} | ${p50.toFixed(1)} ms | ${p95.toFixed(1)} ms |`),
  '',
  '| batch, in one process | rows | rows a second | at a million accounts | time | must end within |',
  '| --- | ---: | ---: | ---: | ---: | ---: |',
  ...batches.map(({ what, rows, seconds, rowsOfMillion, withinHours }) => {
    const rate = rows / seconds;
    const time = duration(rowsOfMillion / rate);
    return `| ${what} | ${number(rows)} | ${number(rate)} | ${number(rowsOfMillion)} rows | ${time} | ${duration(withinHours * 3_600)} |`;
  }),
];

/** The page with the tables between its markers. */
export const withTables = (page: string, results: ScaleResults): string => withPart(page, 'scale', tablesOf(results));
