import { ChartNoAxesColumn } from 'lucide-react';
import type { AnalyticsBucketFragment, AnalyticsTotalsFragment } from '../api/generated/operations.ts';
import { Chart } from '../parts/figures/chart.tsx';
import { common } from '../parts/common-texts.ts';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { Tile, Tiles } from '../parts/figures/tile.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { texts } from './texts.ts';
import styles from './studio.module.css';

interface AnalyticsFiguresProps {
  totals: AnalyticsTotalsFragment;
  series: readonly AnalyticsBucketFragment[];
  completeUntil: string;
  bucket: 'day' | 'week';
}

const percent = (value: number): string => `${Math.round(value * 100)} %`;
export const asSeconds = (ms: number): string =>
  `${(ms / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`;
export const shown = (
  value: number | null | undefined,
  format = (number: number): string => number.toLocaleString(),
): string => (value === undefined || value === null ? '–' : format(value));

/** Returns the share of positive ratings. */
export function thumbsUpShare({ thumbsUp, thumbsDown }: { thumbsUp?: number | null; thumbsDown?: number | null }) {
  const rated = (thumbsUp ?? 0) + (thumbsDown ?? 0);
  return rated === 0 ? '–' : percent((thumbsUp ?? 0) / rated);
}

/** The figures of a period as tiles and charts. Omits those that the plan does not include. */
export function AnalyticsFigures({ totals, series, completeUntil, bucket }: AnalyticsFiguresProps) {
  if (totals.messages === 0 && !totals.listingViews && !totals.likes)
    return (
      <EmptyState icon={<ChartNoAxesColumn size={20} />} title={texts.noMessagesPeriod}>
        <p>{texts.whenOtherPeopleTalk}</p>
      </EmptyState>
    );
  const times = series.map(({ date }) => `${date}T00:00:00.000Z`);
  const chart = { times, bucket } as const;
  const hasInterest = typeof totals.listingViews === 'number';
  const hasLatency = typeof totals.firstWordsMsP50 === 'number';
  return (
    <div className={styles.cards}>
      <Tiles>
        <Tile label={texts.people}>{shown(totals.people)}</Tile>
        <Tile label={texts.newPeople}>{shown(totals.newPeople)}</Tile>
        <Tile label={common.messages}>{shown(totals.messages)}</Tile>
        <Tile label={common.conversations}>{shown(totals.conversations)}</Tile>
        <Tile label={texts.failedReplies}>{shown(totals.failed)}</Tile>
        <Tile label={texts.thumbsUp}>{thumbsUpShare(totals)}</Tile>
        {hasLatency && <Tile label={texts.firstWordsMedian}>{shown(totals.firstWordsMsP50, asSeconds)}</Tile>}
        {hasLatency && <Tile label={texts.backNextDay}>{shown(totals.retentionD1, percent)}</Tile>}
        {hasInterest && <Tile label={texts.listingViews}>{shown(totals.listingViews)}</Tile>}
        {hasInterest && <Tile label={texts.likes}>{shown(totals.likes)}</Tile>}
      </Tiles>
      {totals.suppressed && <p className={styles.hint}>{texts.daysFewerThanFive}</p>}
      <Chart
        {...chart}
        caption={texts.messagesA(bucket)}
        kind="bars"
        series={[{ label: common.messages, color: 'accent', values: series.map(({ messages }) => messages ?? null) }]}
      />
      <Chart
        {...chart}
        caption={texts.peopleA(bucket)}
        kind="bars"
        isSummable={false}
        series={[{ label: texts.people, color: 'info', values: series.map(({ people }) => people ?? null) }]}
      />
      <Chart
        {...chart}
        caption={texts.repliesA(bucket)}
        kind="bars"
        series={[
          { label: texts.written, color: 'good', values: series.map(({ replies }) => replies ?? null) },
          { label: common.failed, color: 'bad', values: series.map(({ failed }) => failed ?? null) },
        ]}
      />
      {series.some(({ firstWordsMsP50 }) => typeof firstWordsMsP50 === 'number') && (
        <Chart
          {...chart}
          caption={texts.timeFirstWords}
          kind="lines"
          formatValue={asSeconds}
          series={[
            { label: texts.median, color: 'accent', values: series.map((each) => each.firstWordsMsP50 ?? null) },
            { label: '95 %', color: 'warn', values: series.map((each) => each.firstWordsMsP95 ?? null) },
          ]}
        />
      )}
      {hasInterest && (
        <Chart
          {...chart}
          caption={texts.listingViewsA(bucket)}
          kind="bars"
          series={[
            { label: texts.listingViews, color: 'accent', values: series.map((each) => each.listingViews ?? null) },
          ]}
        />
      )}
      <p className={styles.hint}>{fillIn(texts.completeUntilDaysUtc, { time: <TimeAgo date={completeUntil} /> })}</p>
    </div>
  );
}
