import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type StatsBucket,
  WebhookDocument,
  WebhookStatsDocument,
  type WebhookStatsQuery,
} from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { Chart } from '../parts/figures/chart.tsx';
import { common } from '../parts/common-texts.ts';
import { Page } from '../parts/page/page.tsx';
import { QueryStates } from '../parts/lists/query-states.tsx';
import { Tile, Tiles } from '../parts/figures/tile.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { Deliveries } from './deliveries-table.tsx';
import { texts } from './texts.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookState } from './webhook-state.tsx';
import styles from './webhooks.module.css';

/** One webhook: its figures, charts and deliveries. */
export function WebhookPage() {
  const { webhookId } = useParams({ from: '/frame/webhooks/$webhookId' });
  const { webhook } = useSuspenseQuery(query(WebhookDocument, { id: webhookId })).data;
  return (
    <Page
      title={webhook.description ?? webhook.url.replace(/^https:\/\//, '')}
      lead={
        <span className={styles.lead}>
          <WebhookState webhook={webhook} />
          {webhook.description && <bdi dir="ltr">{webhook.url}</bdi>}
        </span>
      }
      action={<WebhookActions webhook={webhook} />}
    >
      <Figures webhookId={webhookId} />
      <Deliveries webhookId={webhookId} />
      <ApiNote tag="webhooks" path={`/v1/webhooks/${webhookId}/deliveries`} />
    </Page>
  );
}

const duration = (ms: number | null | undefined): string =>
  typeof ms === 'number' ? `${ms.toLocaleString()} ms` : '–';

type Stats = WebhookStatsQuery['webhookStats'];

const charts = {
  HOUR: { period: texts.n24Hours, caption: texts.attemptsHour, bucket: 'hour' },
  DAY: { period: texts.n30Days, caption: texts.attemptsDayUtc, bucket: 'day' },
} as const satisfies Record<StatsBucket, object>;
const buckets = ['HOUR', 'DAY'] as const;

function Figures({ webhookId }: { webhookId: string }) {
  const [bucket, setBucket] = useState<StatsBucket>('HOUR');
  const read = useQuery({
    ...query(WebhookStatsDocument, { id: webhookId, bucket }),
    placeholderData: keepPreviousData,
  });
  const stats = read.data?.webhookStats;
  const other = bucket === 'HOUR' ? 'DAY' : 'HOUR';
  const chart = charts[read.isPlaceholderData ? other : bucket];
  return (
    <>
      <QueryStates query={read} lines={['100%', '100%']} height={120} />
      {stats && <Totals stats={stats} />}
      <section className={styles.chart} aria-label={texts.attemptsOverTime}>
        <div className={styles.languages} role="group" aria-label={common.period}>
          {buckets.map((one) => (
            <Button key={one} size="small" aria-pressed={bucket === one} onClick={() => setBucket(one)}>
              {charts[one].period}
            </Button>
          ))}
        </div>
        {stats && (
          <Chart
            caption={chart.caption}
            kind="bars"
            bucket={chart.bucket}
            times={stats.series.map(({ start }) => start)}
            series={[
              { label: texts.delivered, color: 'good', values: stats.series.map(({ delivered }) => delivered) },
              { label: common.failed, color: 'bad', values: stats.series.map(({ failedAttempts }) => failedAttempts) },
            ]}
          />
        )}
      </section>
    </>
  );
}

const Totals = ({ stats }: { stats: Stats }) => (
  <Tiles>
    <Tile label={texts.delivered24H}>
      {typeof stats.successRate === 'number' ? `${Math.floor(stats.successRate * 1000) / 10} %` : '–'}
    </Tile>
    <Tile label={texts.attempts24H} note={stats.failedAttempts > 0 && texts.attemptsFailed(stats.failedAttempts)}>
      {stats.attempts.toLocaleString()}
    </Tile>
    <Tile label={texts.failed24H} note={stats.lastFailedAt && <TimeAgo date={stats.lastFailedAt} />}>
      {stats.failed.toLocaleString()}
    </Tile>
    <Tile label={texts.waitingNow}>{stats.pending.toLocaleString()}</Tile>
    <Tile label={texts.median}>{duration(stats.medianDurationMs)}</Tile>
    <Tile label={texts.n95100Within}>{duration(stats.p95DurationMs)}</Tile>
  </Tiles>
);
