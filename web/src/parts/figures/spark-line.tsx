import styles from './spark-line.module.css';

interface SparkLineProps {
  /** Text alternative for screen readers. */
  label: string;
  /** The two parts of each bar: successes and failures. */
  values: readonly { good: number; bad: number }[];
}

const width = 96;
const height = 22;

/** Small stacked bars without axes, for a row of a table. */
export function SparkLine({ label, values }: SparkLineProps) {
  const maximum = Math.max(1, ...values.map(({ good, bad }) => good + bad));
  const step = width / Math.max(values.length, 1);
  const scale = (value: number): number => (value === 0 ? 0 : Math.max(1.5, (value / maximum) * (height - 1)));
  return (
    <svg className={styles.spark} role="img" aria-label={label} width={width} height={height}>
      <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
      {values.map(({ good, bad }, index) => {
        const x = index * step;
        const goodHeight = scale(good);
        const badHeight = scale(bad);
        return (
          <g key={index}>
            <rect data-part="good" x={x} y={height - goodHeight} width={step - 1} height={goodHeight} />
            <rect data-part="bad" x={x} y={height - goodHeight - badHeight} width={step - 1} height={badHeight} />
          </g>
        );
      })}
    </svg>
  );
}
