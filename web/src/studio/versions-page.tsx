import { useInfiniteQuery, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { AgentTabs } from '../agents/agent-tabs.tsx';
import { modelNames } from '../agents/model-names.ts';
import {
  type AgentVersionsQuery,
  AgentVersionsDocument,
  PublishAgentVersionDocument,
  StudioAgentDocument,
  TryAgentVersionDocument,
} from '../api/generated/operations.ts';
import { pagedQuery, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { common } from '../parts/common-texts.ts';
import { ConfirmDialog } from '../parts/layers/confirm-dialog.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { notify } from '../parts/layers/toast-store.ts';
import { NewDraft } from './new-draft.tsx';
import { texts } from './texts.ts';
import { VersionChanges } from './version-changes.tsx';
import styles from './studio.module.css';

type Version = AgentVersionsQuery['agentVersions']['data'][number];

const origins: Readonly<Record<string, string>> = {
  CREATED: texts.firstVersion,
  EDIT: texts.edited,
  DRAFT: texts.draft,
  COPY: common.copied,
  EXPERIMENT: texts.forAnExperiment,
};

export function VersionsPage() {
  const { agentId } = useParams({ from: '/frame/agents/$agentId/versions' });
  const { agent } = useSuspenseQuery(query(StudioAgentDocument, { id: agentId })).data;
  const list = useInfiniteQuery(
    pagedQuery(AgentVersionsDocument, { agentId }, ({ agentVersions: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
  );
  const versions = list.data?.pages.flatMap((page) => page.agentVersions.data);
  return (
    <Page
      title={texts.versionsOf(agent.name)}
      lead={texts.everyChangeInstructionsModel}
      tabs={<AgentTabs agentId={agentId} />}
      action={agent.liveVersion && <NewDraft agentId={agentId} live={agent.liveVersion} />}
    >
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!versions && !list.error && <Skeleton lines={['100%', '100%', '100%']} height={56} />}
      {versions && (
        <ul className={styles.list}>
          {versions.map((version) => (
            <li key={version.id} data-row tabIndex={-1}>
              <VersionRow agentId={agentId} version={version} live={agent.liveVersion ?? null} />
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {common.more}
        </Button>
      )}
      <ApiNote tag="studio" path={`/v1/studio/agents/${agentId}/versions`} />
    </Page>
  );
}

interface VersionRowProps {
  agentId: string;
  version: Version;
  live: { id: string; number: number } | null;
}

function VersionRow({ agentId, version, live }: VersionRowProps) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isCompared, setCompared] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const isDraft = version.publishedAt === null;
  const publish = async (): Promise<void> => {
    await request(PublishAgentVersionDocument, { agentId, versionId: version.id });
    await cache.invalidateQueries();
    setAsked(false);
    notify(texts.versionLive(version.number));
  };
  const trial = useMutation({
    mutationFn: () => request(TryAgentVersionDocument, { input: { agentId, versionId: version.id } }),
    onSuccess: ({ createConversation }) =>
      navigate({ to: '/chat/$conversationId', params: { conversationId: createConversation.id } }),
  });
  return (
    <article aria-label={texts.versionNumbered(version.number)}>
      <div className={styles.row}>
        <div className={styles.names}>
          <strong>{texts.versionNumbered(version.number)}</strong>
          {version.isLive && <span className={styles.badge}>{texts.live}</span>}
          <p className={styles.hint} dir="auto">
            {version.note ?? origins[version.origin]} · {modelNames[version.model]} ·{' '}
            <TimeAgo date={version.createdAt} />
          </p>
        </div>
        {!version.isLive && live && (
          <>
            <Button size="small" aria-expanded={isCompared} onClick={() => setCompared(!isCompared)}>
              {isCompared ? texts.hideChanges : texts.compare}
            </Button>
            <Button size="small" isBusy={trial.isPending} onClick={() => trial.mutate()}>
              {texts.try}
            </Button>
            <Button size="small" onClick={() => setAsked(true)}>
              {isDraft ? texts.publish : texts.restore}
            </Button>
          </>
        )}
      </div>
      {trial.error && <ErrorNote error={trial.error} />}
      {isCompared && live && <VersionChanges agentId={agentId} versionId={version.id} live={live} />}
      <ConfirmDialog
        isOpen={isAsked}
        title={isDraft ? texts.askPublish(version.number) : texts.askRestore(version.number)}
        description={texts.answersNextMessageEveryone}
        action={isDraft ? texts.publish : texts.restore}
        variant="primary"
        onConfirm={publish}
        onClose={() => setAsked(false)}
      />
    </article>
  );
}
