import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { AgentTabs } from '../agents/agent-tabs.tsx';
import { AgentAnalyticsDocument, StudioAgentDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { AnalyticsBreakdown } from './analytics-breakdown.tsx';
import { BasicPlanNote, CsvButton, useAnalyticsChoice } from './analytics-choice.tsx';
import { AnalyticsFigures } from './analytics-figures.tsx';
import { SharedFeedback } from './shared-feedback.tsx';
import { texts } from './texts.ts';

export function AnalyticsPage() {
  const { agentId } = useParams({ from: '/frame/agents/$agentId/analytics' });
  const { agent } = useSuspenseQuery(query(StudioAgentDocument, { id: agentId })).data;
  const { from, granularity, bucket, isAdvanced, isBasic, daysBack, fields } = useAnalyticsChoice();
  const { data, error, refetch } = useQuery({
    ...query(AgentAnalyticsDocument, { agentId, from, granularity }),
    placeholderData: keepPreviousData,
  });
  const analytics = data?.agentAnalytics;
  const hasMessages = analytics !== undefined && analytics.totals.messages !== 0;
  return (
    <Page
      title={texts.analyticsOf(agent.name)}
      lead={texts.howOtherPeopleUse}
      tabs={<AgentTabs agentId={agentId} />}
      action={
        isAdvanced && (
          <CsvButton path={`/v1/studio/agents/${agentId}/analytics`} from={from} granularity={granularity} />
        )
      }
    >
      {fields}
      {isBasic && <BasicPlanNote daysBack={daysBack} />}
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={['100%', '100%']} height={120} />}
      {analytics && <AnalyticsFigures {...analytics} bucket={bucket} />}
      {isAdvanced && hasMessages && <AnalyticsBreakdown agentId={agentId} from={from} />}
      <SharedFeedback agentId={agentId} />
      <ApiNote tag="studio" path={`/v1/studio/agents/${agentId}/analytics`} />
    </Page>
  );
}
