import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  ConcludeExperimentDocument,
  DeleteExperimentDocument,
  type ExperimentFieldsFragment,
  ExperimentResultsDocument,
  PauseExperimentDocument,
  ResumeExperimentDocument,
  StartExperimentDocument,
  StopExperimentDocument,
} from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { requestRemoval } from '../api/request-removal.ts';
import { request } from '../api/request.ts';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Meter } from '../parts/figures/meter.tsx';
import { texts } from './texts.ts';
import { ResultWarnings, VariantFigures } from './variant-figures.tsx';
import { intervalText, verdictText } from './verdict-text.ts';
import styles from './studio.module.css';

interface ExperimentCardProps {
  experiment: ExperimentFieldsFragment;
  /** Returns the number of a version. */
  numberOf: (versionId: string) => string;
}

const statuses = { DRAFT: texts.draft, RUNNING: texts.running, PAUSED: texts.paused, ENDED: texts.over } as const;
const metrics = {
  CONTINUED: texts.threeMoreMessagesWithin,
  RETURNED: texts.messageBetween24Hours,
} as const;
const endings: Readonly<Record<string, string>> = {
  CONCLUDED: texts.choseVersion,
  STOPPED: texts.youStoppedIt,
  GUARDRAIL: texts.endedItselfVariantFailed,
  AGENT_UNPUBLISHED: texts.endedWhenAgentBecame,
};
const actions = {
  start: (id: string) => request(StartExperimentDocument, { id }),
  pause: (id: string) => request(PauseExperimentDocument, { id }),
  resume: (id: string) => request(ResumeExperimentDocument, { id }),
  stop: (id: string) => request(StopExperimentDocument, { id }),
  delete: (id: string) => requestRemoval(DeleteExperimentDocument, { id }),
} as const;
const refreshMs = 60_000;

/** An experiment with its progress, its verdict as text and the available actions. */
export function ExperimentCard({ experiment, numberOf }: ExperimentCardProps) {
  const { id, status, variants } = experiment;
  const cache = useQueryClient();
  const isUnderWay = status === 'RUNNING' || status === 'PAUSED';
  const results = useQuery({
    ...query(ExperimentResultsDocument, { id }),
    enabled: status !== 'DRAFT',
    refetchInterval: isUnderWay ? refreshMs : false,
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (action: keyof typeof actions): Promise<unknown> => actions[action](id),
    onSuccess: () => cache.invalidateQueries(),
  });
  const [winner, setWinner] = useState<{ key: string; versionId: string } | null>(null);
  const button = (action: keyof typeof actions, label: string) => (
    <Button size="small" isBusy={isPending} onClick={() => mutate(action)}>
      {label}
    </Button>
  );
  const found = results.data?.experimentResults;
  return (
    <article className={styles.card} aria-label={experiment.name}>
      <header>
        <div className={styles.names}>
          <strong dir="auto">{experiment.name}</strong>
          <span className={styles.badge}>{statuses[status]}</span>
          {experiment.hypothesis && (
            <p className={styles.hint} dir="auto">
              {experiment.hypothesis}
            </p>
          )}
        </div>
        <div className={styles.choice}>
          {status === 'DRAFT' && button('start', texts.start)}
          {status === 'RUNNING' && button('pause', texts.pause)}
          {status === 'PAUSED' && button('resume', common.resume)}
          {isUnderWay && button('stop', texts.stop)}
          {!isUnderWay && button('delete', common.delete)}
        </div>
      </header>
      <p className={styles.hint}>{texts.successFirstExposure(metrics[experiment.metric])}</p>
      {error && <ErrorNote error={error} />}
      {results.error && <ErrorNote error={results.error} onRetry={() => void results.refetch()} />}
      {found && (
        <>
          <p role="status">{verdictText(found, experiment)}</p>
          <ResultWarnings results={found} />
          <Meter
            label={texts.expectedPeopleCounted}
            value={Math.round(found.progress * experiment.expectedPeople)}
            limit={experiment.expectedPeople}
          />
        </>
      )}
      {experiment.endedReason && <p className={styles.hint}>{endings[experiment.endedReason]}</p>}
      <div className={styles.scroller} role="region" aria-label={texts.variantsOf(experiment.name)} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              {[texts.variant, texts.share, texts.people, texts.succeeded, texts.differenceControl].map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
              <th scope="col">
                <span className={styles.spoken}>{texts.choice}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {variants.map(({ key, versionId, weight }) => {
              const shown = found?.variants.find((variant) => variant.key === key);
              const rate = shown?.rate;
              return (
                <tr key={key}>
                  <th scope="row">
                    {key === 'a' ? texts.control : texts.variantNamed(key)}, {numberOf(versionId)}
                  </th>
                  <td>{weight} %</td>
                  <td>{shown?.people?.toLocaleString() ?? '–'}</td>
                  <td>{rate === undefined || rate === null ? '–' : `${(rate * 100).toFixed(1)} %`}</td>
                  <td>{intervalText(shown?.interval)}</td>
                  <td>
                    {isUnderWay && (
                      <Button size="small" onClick={() => setWinner({ key, versionId })}>
                        {texts.choose}
                      </Button>
                    )}
                    {experiment.winnerVersionId === versionId && texts.chosen}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {found && (
        <>
          <p className={styles.hint}>{texts.mayLookOftenLike}</p>
          <VariantFigures experiment={experiment} results={found} />
        </>
      )}
      <ConfirmDialog
        isOpen={winner !== null}
        title={winner?.key === 'a' ? texts.askKeepControl : texts.askKeepVariant(winner?.key ?? '')}
        description={
          found?.verdict === 'BETTER' || found?.verdict === 'WORSE'
            ? texts.experimentEndsVersionAnswers
            : texts.experimentEndsWithoutVerdict
        }
        action={texts.endKeep}
        variant="primary"
        onConfirm={async () => {
          if (!winner) return;
          await request(ConcludeExperimentDocument, { id, input: { versionId: winner.versionId } });
          await cache.invalidateQueries();
          setWinner(null);
        }}
        onClose={() => setWinner(null)}
      />
    </article>
  );
}
