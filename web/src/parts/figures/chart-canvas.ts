import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ChartColor, ChartData } from './chart-data.ts';

const height = 200;
const seconds = { hour: 3_600, day: 86_400, week: 604_800 };
/** Axis steps: whole numbers, because counts have no fractions. */
const increments = [1, 2, 5]
  .flatMap((digit) => Array.from({ length: 10 }, (_, power) => digit * 10 ** power))
  .toSorted((a, b) => a - b);

/** Draws a chart inside `target` at its full width. Returns a function that removes it. */
export function drawChart(target: HTMLElement, data: ChartData, onHover: (index: number | null) => void): () => void {
  const { times, bucket, kind, formatValue } = data;
  const drawn = drawnSeries(data);
  const color = (name: string): string => resolvedColor(target, name);
  const [muted, line] = [color('muted'), color('line')];
  const font = `12px ${getComputedStyle(target).fontFamily}`;
  const half = kind === 'bars' ? seconds[bucket] / 2 : 0;
  const axis: uPlot.Axis = { stroke: muted, font, ticks: { show: false }, grid: { stroke: line, width: 1 } };
  const isInUtc = bucket !== 'hour';
  const plot = new uPlot(
    {
      width: Math.max(target.clientWidth, 120),
      height,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
      hooks: { setCursor: [({ cursor }) => onHover(cursor.idx ?? null)] },
      ...(isInUtc && { tzDate: (timestamp) => uPlot.tzDate(new Date(timestamp * 1000), 'Etc/UTC') }),
      scales: {
        x: { range: (_plot, min, max) => [min - half, max + half] },
        y: { range: (_plot, _min, max) => [0, Math.max(max ?? 0, 1) * 1.08] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 72,
          values: (_plot, splits) => splits.map((split) => shortTime(split * 1000, bucket)),
        },
        {
          ...axis,
          incrs: increments,
          size: 52,
          values: (_plot, splits) => splits.map((split) => formatValue(split)),
        },
      ],
      series: [{}, ...drawn.map((one) => seriesOptions(kind, color(one.color)))],
    },
    [times.map((time) => Date.parse(time) / 1000), ...drawn.map(({ values }) => values)],
    target,
  );
  const observer = new ResizeObserver(() => {
    const width = Math.max(target.clientWidth, 120);
    if (width !== plot.width) plot.setSize({ width, height });
  });
  observer.observe(target);
  return () => {
    observer.disconnect();
    plot.destroy();
  };
}

interface Drawn {
  color: ChartColor;
  values: (number | null)[];
}

/** Stacks bars: each series is a running sum. The largest is drawn first, and the next ones cover its lower part. */
function drawnSeries({ times, kind, series }: ChartData): Drawn[] {
  if (kind === 'lines') return series.map(({ color, values }) => ({ color, values: [...values] }));
  const sums = times.map(() => 0);
  const stacked = series.map(({ color, values }) => ({
    color,
    values: values.map((value, index) => (sums[index] = (sums[index] ?? 0) + (value ?? 0))),
  }));
  return stacked.toReversed();
}

const { bars } = uPlot.paths;

const seriesOptions = (kind: ChartData['kind'], color: string): uPlot.Series =>
  kind === 'bars'
    ? { fill: color, width: 0, points: { show: false }, ...(bars && { paths: bars({ size: [0.7, 28] }) }) }
    : { stroke: color, width: 2, points: { show: true, size: 6, fill: color, filter: loneValues }, spanGaps: false };

/** Returns indexes of values without neighbours, which get a point because no line passes through them. */
function loneValues({ data }: uPlot, index: number): number[] {
  const values = data[index] ?? [];
  const isMissing = (at: number): boolean => typeof values[at] !== 'number';
  return [...values.keys()].filter((at) => !isMissing(at) && isMissing(at - 1) && isMissing(at + 1));
}

/** Resolves a CSS colour variable in the current theme, because a canvas cannot use variables. */
function resolvedColor(target: HTMLElement, name: string): string {
  const probe = target.appendChild(document.createElement('i'));
  probe.style.color = `var(--${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The label of a bucket on the axis. */
function shortTime(timestamp: number, bucket: ChartData['bucket']): string {
  const date = new Date(timestamp);
  if (bucket !== 'hour') return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
  return isMidnight
    ? date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
    : date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}
