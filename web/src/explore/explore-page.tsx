import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { ExploreDocument, type ExploreSort } from '../api/generated/operations.ts';
import { pagedQuery } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { Button } from '../parts/controls/button.tsx';
import { categoryNames } from '../parts/values/category-names.ts';
import { common } from '../parts/common-texts.ts';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ListStates } from '../parts/lists/list-states.tsx';
import { Page } from '../parts/page/page.tsx';
import { useTypedQuery } from '../parts/controls/use-typed-query.ts';
import { Author } from './author.tsx';
import { texts } from './texts.ts';
import styles from './explore.module.css';

const sorts: readonly [ExploreSort, string][] = [
  ['POPULAR', texts.popular],
  ['TRENDING', texts.trending],
  ['RECENT', texts.recent],
];

/** Public agents. The address holds the filter; while a new one loads, the old grid stays. */
export function ExplorePage() {
  const { q, category, sort = 'POPULAR' } = useSearch({ from: '/frame/explore' });
  const navigate = useNavigate({ from: '/explore' });
  const [typed, type] = useTypedQuery(
    q,
    (text) => void navigate({ search: (old) => ({ ...old, q: text }), replace: true }),
  );
  const list = useInfiniteQuery({
    ...pagedQuery(ExploreDocument, { q, category, sort }, ({ exploreAgents }) =>
      exploreAgents.pageInfo.hasNextPage ? exploreAgents.pageInfo.endCursor : null,
    ),
    placeholderData: keepPreviousData,
  });
  const agents = list.data?.pages.flatMap((page) => page.exploreAgents.data);
  return (
    <Page title={texts.explore} lead={texts.agentsPeoplePublished}>
      <div className={styles.filters}>
        <input
          type="search"
          aria-label={texts.findAgent}
          placeholder={texts.findAgent}
          dir="auto"
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
        <select
          aria-label={texts.order}
          value={sort}
          onChange={({ target }) =>
            void navigate({ search: (old) => ({ ...old, sort: target.value as ExploreSort }), replace: true })
          }
        >
          {sorts.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div className={styles.chips} role="group" aria-label={texts.category}>
        {categoryNames.map(([value, label]) => (
          <Button
            key={value}
            size="small"
            aria-pressed={category === value}
            className={styles.chip}
            onClick={() =>
              void navigate({
                search: (old) => ({ ...old, category: category === value ? undefined : value }),
                replace: true,
              })
            }
          >
            {label}
          </Button>
        ))}
      </div>
      {agents?.length === 0 && (
        <EmptyState icon={<Compass size={20} />} title={q || category ? texts.noAgentFound : texts.noAgentPublic}>
          {q || category ? texts.tryOtherWordsAnother : texts.publishYours}{' '}
          <a href="/docs/guide/agents">{common.readGuide}</a>
        </EmptyState>
      )}
      <ul className={styles.grid} data-stale={list.isPlaceholderData || undefined}>
        {agents?.map(({ id, name, description, messageCount, creator, isMine, picture }) => (
          <li key={id} className={styles.card}>
            <header>
              <Avatar name={name} picture={picture} size={32} />
              <Link to="/explore/$agentId" params={{ agentId: id }} data-row dir="auto">
                {name}
              </Link>
            </header>
            <p dir="auto">{description || texts.noDescription}</p>
            <span>
              <Author creator={creator} isMine={isMine} /> · {texts.messages(messageCount)}
            </span>
          </li>
        ))}
      </ul>
      <ListStates list={list} height={110} shown={agents?.length} />
      <ApiNote tag="agents" path="/v1/agents/explore" />
    </Page>
  );
}
