import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { AgentTabs } from '../agents/agent-tabs.tsx';
import { AgentVersionsDocument, ExperimentsDocument, StudioAgentDocument } from '../api/generated/operations.ts';
import { pagedQuery, query } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { Page } from '../parts/page/page.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { ExperimentCard } from './experiment-card.tsx';
import { NewExperiment } from './new-experiment.tsx';
import { texts } from './texts.ts';
import styles from './studio.module.css';

export function ExperimentsPage() {
  const { agentId } = useParams({ from: '/frame/agents/$agentId/experiments' });
  const { agent } = useSuspenseQuery(query(StudioAgentDocument, { id: agentId })).data;
  const versions = useQuery(query(AgentVersionsDocument, { agentId })).data?.agentVersions.data ?? [];
  const list = useInfiniteQuery(
    pagedQuery(ExperimentsDocument, { agentId }, ({ experiments: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
  );
  const experiments = list.data?.pages.flatMap((page) => page.experiments.data);
  const challengers = versions
    .filter(({ isLive }) => !isLive)
    .map(({ id, number, note }) => [id, texts.versionWithNote(number, note)] as const);
  const numberOf = (versionId: string): string => {
    const version = versions.find(({ id }) => id === versionId);
    return version ? texts.versionInSentence(version.number) : texts.earlierVersion;
  };
  return (
    <Page
      title={texts.experimentsWith(agent.name)}
      lead={texts.givePeopleDifferentVersions}
      tabs={<AgentTabs agentId={agentId} />}
      action={
        agent.liveVersion &&
        challengers.length > 0 && <NewExperiment agentId={agentId} live={agent.liveVersion} challengers={challengers} />
      }
    >
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!experiments && !list.error && <Skeleton lines={['100%', '100%']} height={160} />}
      {experiments?.length === 0 && (
        <EmptyState icon={<FlaskConical size={20} />} title={texts.nothingTriedYet}>
          <p>
            {challengers.length > 0
              ? texts.letLiveVersionCompete
              : fillIn(texts.saveDraftUnderVersions, {
                  link: (
                    <Link to="/agents/$agentId/versions" params={{ agentId }}>
                      {texts.versions}
                    </Link>
                  ),
                })}
          </p>
        </EmptyState>
      )}
      <div className={styles.cards}>
        {experiments?.map((experiment) => (
          <ExperimentCard key={experiment.id} experiment={experiment} numberOf={numberOf} />
        ))}
      </div>
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {common.more}
        </Button>
      )}
      <ApiNote tag="studio" path={`/v1/studio/agents/${agentId}/experiments`} />
    </Page>
  );
}
