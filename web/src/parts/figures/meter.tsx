import { Meter as BaseMeter } from '@base-ui/react/meter';
import { texts } from '../texts.ts';
import styles from './meter.module.css';

interface MeterProps {
  label: string;
  value: number;
  /** Negative when there is no limit. */
  limit: number;
}

/** Usage of a limit: text above a thin bar. Without a limit there is no bar. */
export const Meter = ({ label, value, limit }: MeterProps) => {
  const isUnlimited = limit < 0;
  const text = isUnlimited ? texts.amount(value, label) : texts.amountOf(value, limit, label);
  return (
    <BaseMeter.Root
      className={styles.meter}
      value={Math.min(value, Math.max(limit, 1))}
      max={Math.max(limit, 1)}
      aria-valuetext={text}
    >
      <BaseMeter.Label className={styles.label}>{text}</BaseMeter.Label>
      {!isUnlimited && (
        <BaseMeter.Track className={styles.track}>
          <BaseMeter.Indicator className={styles.indicator} data-full={value >= limit * 0.8 || undefined} />
        </BaseMeter.Track>
      )}
    </BaseMeter.Root>
  );
};
