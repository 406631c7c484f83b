import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Bot, Globe, Lock, Plus } from 'lucide-react';
import {
  type AgentFieldsFragment,
  AgentsDocument,
  type AgentSort,
  UsageDocument,
} from '../api/generated/operations.ts';
import { pagedQuery, query } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { Button } from '../parts/controls/button.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { common } from '../parts/common-texts.ts';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { fillIn } from '../parts/values/fill-in.tsx';
import { Page } from '../parts/page/page.tsx';
import { PlanLimit } from '../parts/lists/plan-limit.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { TimeAgo } from '../parts/values/time-ago.tsx';
import { templates } from './agent-values.ts';
import { modelNames } from './model-names.ts';
import { texts } from './texts.ts';
import styles from './agents.module.css';

const sorts: readonly [AgentSort, string][] = [
  ['UPDATED_AT', texts.lastChanged],
  ['CREATED_AT', texts.newest],
  ['NAME', texts.byName],
];

/** The agents of the account. The address holds their sort order. */
export function AgentsPage() {
  const { sort = 'UPDATED_AT' } = useSearch({ from: '/frame/agents' });
  const list = useInfiniteQuery({
    ...pagedQuery(AgentsDocument, { sort }, ({ agents }) =>
      agents.pageInfo.hasNextPage ? agents.pageInfo.endCursor : null,
    ),
    placeholderData: keepPreviousData,
  });
  const agents = list.data?.pages.flatMap((page) => page.agents.data);
  return (
    <Page
      title={common.agents}
      lead={<AgentLimit />}
      action={
        <>
          {agents && agents.length > 1 && <Order sort={sort} />}
          {agents && agents.length > 0 && <ButtonLink to="/studio">{texts.analytics}</ButtonLink>}
          <ButtonLink to="/agents/new" variant="primary">
            <Plus size={16} />
            {texts.newAgent}
          </ButtonLink>
        </>
      }
    >
      {list.error && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {!agents && !list.error && <Skeleton lines={['100%', '100%', '100%']} height={64} />}
      {agents?.length === 0 && <Templates />}
      {agents && agents.length > 0 && (
        <ul className={styles.list}>
          {agents.map((agent) => (
            <li key={agent.id}>
              <AgentRow agent={agent} />
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {common.more}
        </Button>
      )}
      <ApiNote tag="agents" path="/v1/agents" />
    </Page>
  );
}

function Order({ sort }: { sort: AgentSort }) {
  const navigate = useNavigate({ from: '/agents' });
  return (
    <select
      aria-label={texts.order}
      className={styles.order}
      value={sort}
      onChange={({ target }) => void navigate({ search: { sort: target.value as AgentSort }, replace: true })}
    >
      {sorts.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

const AgentRow = ({ agent }: { agent: AgentFieldsFragment }) => (
  <div className={styles.row}>
    <Avatar name={agent.name} picture={agent.picture} size={36} />
    <div className={styles.names}>
      <Link to="/agents/$agentId/edit" params={{ agentId: agent.id }} data-row className={styles.name} dir="auto">
        {agent.name}
      </Link>
      <p className={styles.text} dir="auto">
        {agent.description || texts.noDescription}
      </p>
    </div>
    <span className={styles.meta}>
      {agent.isPublic ? <Globe size={14} /> : <Lock size={14} />}
      {agent.isPublic ? texts.public : texts.private}
    </span>
    <span className={styles.meta}>{modelNames[agent.model]}</span>
    <span className={styles.meta}>{texts.messageCount(agent.messageCount)}</span>
    <span className={styles.meta}>{texts.documentCount(agent.documentCount ?? 0)}</span>
    <TimeAgo date={agent.updatedAt} className={styles.meta} />
  </div>
);

const Templates = () => (
  <EmptyState icon={<Bot size={20} />} title={texts.createFirstAgent}>
    <p>{fillIn(texts.beginTheseNothingEverything, { link: <a href="/docs/guide/agents">{texts.readGuide}</a> })}</p>
    <ul className={styles.templates}>
      {templates.map(({ title, text }) => (
        <li key={title}>
          <Link to="/agents/new" search={{ template: title }} className={styles.template}>
            <strong>{title}</strong>
            <span>{text}</span>
          </Link>
        </li>
      ))}
    </ul>
  </EmptyState>
);

function AgentLimit() {
  const { data } = useQuery(query(UsageDocument, {}));
  if (!data) return null;
  const { agentsCreated, agentsLimit } = data.usage.usage;
  return <PlanLimit things={texts.agentsOfPlan} count={agentsCreated} limit={agentsLimit} />;
}
