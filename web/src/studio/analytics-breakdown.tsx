import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  AnalyticsBreakdownDocument,
  type AnalyticsBreakdownQuery,
  type Breakdown,
} from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { asSeconds, shown, thumbsUpShare } from './analytics-figures.tsx';
import { texts } from './texts.ts';
import styles from './studio.module.css';

type Part = AnalyticsBreakdownQuery['agentAnalytics']['breakdown'][number];

const sources: Readonly<Record<string, string>> = {
  direct: texts.inThisService,
  integration: texts.inYourChannels,
  embed: texts.onYourSite,
  room: texts.inRooms,
};
const columns: readonly [title: string, of: (part: Part) => string][] = [
  [common.messages, ({ messages }) => shown(messages)],
  [texts.replies, ({ replies }) => shown(replies)],
  [common.failed, ({ failed }) => shown(failed)],
  [texts.thumbsUp, thumbsUpShare],
  [texts.firstWordsMedian, ({ firstWordsMsP50 }) => shown(firstWordsMsP50, asSeconds)],
  ['95 %', ({ firstWordsMsP95 }) => shown(firstWordsMsP95, asSeconds)],
];

function nameOf({ versionNumber, source }: Part): string {
  if (typeof versionNumber === 'number') return texts.versionNumbered(versionNumber);
  return source ? (sources[source] ?? source) : texts.theRest;
}

/** Figures of a period, broken down by version or source. */
export function AnalyticsBreakdown({ agentId, from }: { agentId: string; from: string }) {
  const [by, setBy] = useState<Breakdown>('VERSION');
  const { data, error, refetch } = useQuery(query(AnalyticsBreakdownDocument, { agentId, from, by }));
  const parts = data?.agentAnalytics.breakdown;
  const choice = (value: Breakdown, label: string) => (
    <Button size="small" aria-pressed={by === value} onClick={() => setBy(value)}>
      {label}
    </Button>
  );
  return (
    <section className={styles.section} aria-labelledby="breakdown">
      <div className={styles.heading}>
        <h2 id="breakdown">{texts.breakdown}</h2>
        <div className={styles.choice} role="group" aria-label={texts.breakDown}>
          {choice('VERSION', texts.byVersion)}
          {choice('SOURCE', texts.bySource)}
        </div>
      </div>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!parts && !error && <Skeleton lines={['100%', '100%']} height={36} />}
      {parts?.length === 0 && <p className={styles.hint}>{texts.nothingBreakDownFewer}</p>}
      {parts && parts.length > 0 && (
        <div className={styles.frame} role="region" aria-label={texts.figuresPart} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{by === 'VERSION' ? texts.version : texts.source}</th>
                {columns.map(([title]) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {parts.map((part) => (
                <tr key={nameOf(part)}>
                  <th scope="row">{nameOf(part)}</th>
                  {columns.map(([title, of]) => (
                    <td key={title}>{of(part)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {parts?.some(({ isOther }) => isOther) && <p className={styles.hint}>{texts.restFewerThanFive}</p>}
    </section>
  );
}
