import type { ExperimentFieldsFragment, ExperimentResultsQuery } from '../api/generated/operations.ts';
import { common } from '../parts/common-texts.ts';
import { asSeconds, shown, thumbsUpShare } from './analytics-figures.tsx';
import { texts } from './texts.ts';
import styles from './studio.module.css';

type Results = ExperimentResultsQuery['experimentResults'];
type Figures = Results['variants'][number];

const columns: readonly [title: string, of: (figures: Figures) => string][] = [
  [texts.replies, ({ replies }) => shown(replies)],
  [common.failed, failedOf],
  [texts.thumbsUp, thumbsUpShare],
  [texts.firstWordsMedian, ({ firstWordsMsP50 }) => shown(firstWordsMsP50, asSeconds)],
  ['95 %', ({ firstWordsMsP95 }) => shown(firstWordsMsP95, asSeconds)],
];

const percent = (share: number): string =>
  `${(share * 100).toLocaleString(undefined, { maximumFractionDigits: 1 })}\u00a0%`;

/** "12 (0.8 %)": the number of failed attempts, and its share of all. */
function failedOf({ failed, replies }: Figures): string {
  if (typeof failed !== 'number') return shown(failed);
  const attempts = failed + (replies ?? 0);
  return attempts === 0 ? shown(failed) : texts.countAndShare(shown(failed), percent(failed / attempts));
}

interface VariantFiguresProps {
  experiment: Pick<ExperimentFieldsFragment, 'name'>;
  results: Results;
}

/** Figures of the variants that have no verdict. Nothing is rendered while they are withheld. */
export function VariantFigures({ experiment, results: { variants } }: VariantFiguresProps) {
  if (variants.every(({ replies }) => typeof replies !== 'number')) return null;
  return (
    <>
      <div className={styles.scroller} role="region" aria-label={texts.repliesOfVariants(experiment.name)} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{texts.variant}</th>
              {columns.map(([title]) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {variants.map((variant) => (
              <tr key={variant.key}>
                <th scope="row">{variant.key === 'a' ? texts.control : texts.variantNamed(variant.key)}</th>
                {columns.map(([title, of]) => (
                  <td key={title}>{of(variant)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.hint}>{texts.figuresWithoutVerdict}</p>
    </>
  );
}

/** The warnings about results, as sentences. */
export function ResultWarnings({ results }: { results: Results }) {
  if (results.warnings.length === 0) return null;
  const sentences = {
    SAMPLE_RATIO_MISMATCH: splitOf(results.sampleRatio),
    PAST_EXPECTED_PEOPLE: texts.pastExpectedPeople,
    MORE_FAILURES: texts.moreFailures,
  } as const;
  return (
    <ul className={styles.warnings}>
      {results.warnings.map((warning) => (
        <li key={warning}>{sentences[warning]}</li>
      ))}
    </ul>
  );
}

function splitOf({ observed, expected }: Results['sampleRatio']): string {
  const shares = (all: readonly number[]): string => all.map(percent).join(' / ');
  return observed ? texts.observedSplit(shares(observed), shares(expected)) : texts.splitMismatch;
}
