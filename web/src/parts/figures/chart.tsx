import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from '../controls/button.tsx';
import { bucketName, bucketTitles, type ChartData, type ChartSeries } from './chart-data.ts';
import { texts } from '../texts.ts';
import styles from './chart.module.css';

interface ChartProps extends Omit<ChartData, 'formatValue'> {
  /** The measure with its unit. */
  caption: string;
  /** Whether the values can be summed over time; otherwise the latest value is shown below the chart. */
  isSummable?: boolean;
  /** Must be a module-level function, so that it is the same on every render. */
  formatValue?: (value: number) => string;
}

const asNumber = (value: number): string => value.toLocaleString();

/** A time series as bars or lines in the colours of the theme, or as a table of the same numbers. */
export function Chart({ caption, formatValue = asNumber, isSummable, ...data }: ChartProps) {
  const hasSum = isSummable ?? data.kind === 'bars';
  const [isTable, setTable] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.head}>
        <span>{caption}</span>
        {!hasFailed && (
          <Button size="small" variant="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {texts.asATable}
          </Button>
        )}
      </figcaption>
      {isTable || hasFailed ? (
        <ChartTable caption={caption} formatValue={formatValue} {...data} />
      ) : (
        <Canvas
          caption={caption}
          formatValue={formatValue}
          hasSum={hasSum}
          onFailure={() => setFailed(true)}
          {...data}
        />
      )}
    </figure>
  );
}

type Drawing = Omit<ChartData, 'formatValue'>;
interface PartProps extends ChartData {
  caption: string;
}

interface CanvasProps extends PartProps {
  onFailure: () => void;
  hasSum: boolean;
}

/** The chart. `onFailure` is called when it cannot be loaded or drawn, for example because of an unknown locale. */
function Canvas({ caption, onFailure, hasSum, ...data }: CanvasProps) {
  const target = useRef<HTMLDivElement>(null);
  const failed = useEffectEvent(onFailure);
  const [hovered, setHovered] = useState<number | null>(null);
  const theme = useSyncExternalStore(onThemeChange, currentTheme);
  const { times, bucket, series, kind, formatValue } = data;
  // Serialized, so that the chart is redrawn only when the data or the theme changes.
  const drawing = JSON.stringify({ times, bucket, series, kind, theme });
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isOver = false;
    const draw = async (): Promise<void> => {
      const { drawChart } = await import('./chart-canvas.ts');
      const given = { ...(JSON.parse(drawing) as Drawing), formatValue };
      if (!isOver && target.current) stop = drawChart(target.current, given, setHovered);
    };
    draw().catch(() => failed());
    return () => {
      isOver = true;
      stop?.();
    };
  }, [drawing, formatValue]);
  const time = hovered === null ? undefined : times[hovered];
  const summary = hasSum ? texts.inAll : texts.latest;
  const valueOf = (one: ChartSeries): number | null => {
    if (time !== undefined) return one.values[hovered ?? 0] ?? null;
    return hasSum ? sumOf(one) : (one.values.at(-1) ?? null);
  };
  return (
    <>
      <div ref={target} className={styles.canvas} role="img" aria-label={texts.sameNumbersTable(caption)} />
      <p className={styles.readout}>
        <span>{time === undefined ? summary : bucketName(time, bucket)}</span>
        {series.map((one) => (
          <span key={one.label} className={styles.key} data-color={one.color}>
            {one.label} <strong>{shown(valueOf(one), formatValue)}</strong>
          </span>
        ))}
      </p>
    </>
  );
}

const ChartTable = ({ caption, times, bucket, series, formatValue }: PartProps) => (
  <div className={styles.scroller} role="region" aria-label={caption} tabIndex={0}>
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{bucketTitles[bucket]}</th>
          {series.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {times.map((time, index) => (
          <tr key={time}>
            <th scope="row">
              <time dateTime={time}>{bucketName(time, bucket)}</time>
            </th>
            {series.map(({ label, values }) => (
              <td key={label}>{shown(values[index] ?? null, formatValue)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const sumOf = ({ values }: ChartSeries): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
const shown = (value: number | null, formatValue: (value: number) => string): string =>
  value === null ? '–' : formatValue(value);

/** Media queries that change the colours, in addition to the chosen theme. */
const colorQueries = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'];

function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const queries = colorQueries.map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    for (const query of queries) query.removeEventListener('change', listener);
  };
}

const currentTheme = (): string =>
  [document.documentElement.dataset['theme'], ...colorQueries.map((query) => matchMedia(query).matches)].join(' ');
