import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AnalyticsLimitsDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { fetchAuthorized } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { PlansLink } from '../parts/lists/plans-link.tsx';
import { saveFile } from '../parts/values/save-file.ts';
import { SelectField } from '../parts/controls/select-field.tsx';
import { serviceNow } from '../api/service-time.ts';
import { texts } from './texts.ts';
import styles from './studio.module.css';

const periods = [
  ['7', texts.last7Days],
  ['28', texts.last28Days],
  ['90', texts.last90Days],
  ['365', texts.last365Days],
] as const;
const granularities = [
  ['DAY', texts.byDay],
  ['WEEK', texts.byWeek],
] as const;
const dayMs = 86_400_000;

/** Returns the first of the last `days` days, including today, as a UTC date. */
const firstDay = (days: number): string => new Date(serviceNow() - (days - 1) * dayMs).toISOString().slice(0, 10);

/** Period and granularity of the figures, limited to what the plan includes. */
export function useAnalyticsChoice() {
  const [days, setDays] = useState('7');
  const [granularity, setGranularity] = useState<'DAY' | 'WEEK'>('DAY');
  const limits = useQuery(query(AnalyticsLimitsDocument, {})).data?.limits;
  const daysBack = limits?.data.find(({ name }) => name === 'analytics_days')?.limit ?? 7;
  return {
    from: firstDay(Number(days)),
    granularity,
    bucket: granularity === 'WEEK' ? 'week' : 'day',
    isAdvanced: limits !== undefined && limits.plan !== 'FREE',
    isBasic: limits?.plan === 'FREE',
    daysBack,
    fields: (
      <div className={styles.choice}>
        <SelectField
          name="days"
          label={common.period}
          value={days}
          options={periods.filter(([count]) => Number(count) <= daysBack)}
          onChange={setDays}
        />
        <SelectField
          name="granularity"
          label={texts.charts}
          value={granularity}
          options={granularities}
          onChange={(value) => setGranularity(value === 'WEEK' ? 'WEEK' : 'DAY')}
        />
      </div>
    ),
  } as const;
}

/** Note about the figures that a paid plan adds. */
export const BasicPlanNote = ({ daysBack }: { daysBack: number }) => (
  <p className={styles.hint}>{fillIn(texts.planShowsLastDays, { daysBack, plans: <PlansLink /> })}</p>
);

interface CsvButtonProps {
  /** Path of the figures in /v1. */
  path: string;
  from: string;
  granularity: 'DAY' | 'WEEK';
}

/** Downloads the values of the charts as CSV. */
export function CsvButton({ path, from, granularity }: CsvButtonProps) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const search = new URLSearchParams({ from, granularity: granularity.toLowerCase(), format: 'csv' });
      const response = await fetchAuthorized(`${path}?${search.toString()}`, {});
      saveFile(await response.blob(), `analytics-${from}.csv`);
    },
  });
  return (
    <>
      <Button isBusy={isPending} onClick={() => mutate()}>
        {texts.saveCsv}
      </Button>
      {error && <ErrorNote error={error} />}
    </>
  );
}
