import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { StudioAnalyticsDocument, type StudioAnalyticsQuery } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { common } from '../parts/common-texts.ts';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { BasicPlanNote, CsvButton, useAnalyticsChoice } from './analytics-choice.tsx';
import { AnalyticsFigures } from './analytics-figures.tsx';
import { texts } from './texts.ts';
import styles from './studio.module.css';

/** Usage figures of all agents of the account. */
export function StudioPage() {
  const { from, granularity, bucket, isAdvanced, isBasic, daysBack, fields } = useAnalyticsChoice();
  const { data, error, refetch } = useQuery({
    ...query(StudioAnalyticsDocument, { from, granularity }),
    placeholderData: keepPreviousData,
  });
  const analytics = data?.studioAnalytics;
  return (
    <Page
      title={texts.analytics}
      lead={texts.howOtherPeopleUseAll}
      action={isAdvanced && <CsvButton path="/v1/studio/analytics" from={from} granularity={granularity} />}
    >
      {fields}
      {isBasic && <BasicPlanNote daysBack={daysBack} />}
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={['100%', '100%']} height={120} />}
      {analytics && <AnalyticsFigures {...analytics} bucket={bucket} />}
      {analytics && analytics.agents.length > 0 && <MostUsed agents={analytics.agents} />}
      <ApiNote tag="studio" path="/v1/studio/analytics" />
    </Page>
  );
}

const MostUsed = ({ agents }: { agents: StudioAnalyticsQuery['studioAnalytics']['agents'] }) => (
  <section className={styles.section} aria-labelledby="most-used">
    <h2 id="most-used">{texts.mostUsedAgents}</h2>
    <div className={styles.frame} role="region" aria-label={texts.agentsMessages} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{common.agent}</th>
            <th scope="col">{common.conversations}</th>
            <th scope="col">{common.messages}</th>
          </tr>
        </thead>
        <tbody>
          {agents.map(({ agentId, name, conversations, messages }) => (
            <tr key={agentId}>
              <th scope="row">
                <Link to="/agents/$agentId/analytics" params={{ agentId }} dir="auto">
                  {name}
                </Link>
              </th>
              <td>{conversations.toLocaleString()}</td>
              <td>{messages.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
);
