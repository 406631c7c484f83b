import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { SearchConversationsDocument, type SearchConversationsQuery } from '../../api/generated/operations.ts';
import { pagedQuery } from '../../api/query.ts';
import { ApiNote } from '../../parts/page/api-note.tsx';
import { common } from '../../parts/common-texts.ts';
import { EmptyState } from '../../parts/lists/empty-state.tsx';
import { ListStates } from '../../parts/lists/list-states.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { serviceNow } from '../../api/service-time.ts';
import { TimeAgo } from '../../parts/values/time-ago.tsx';
import { useTypedQuery } from '../../parts/controls/use-typed-query.ts';
import { SearchFilters } from './search-filters.tsx';
import { Highlight } from './highlight.tsx';
import { texts as shared } from '../texts.ts';
import { texts } from './texts.ts';
import styles from './search-page.module.css';

type Hit = SearchConversationsQuery['searchConversations']['data'][number];

/** Search in messages and titles. The address holds the query. */
export function SearchPage() {
  const { q = '', agent, days } = useSearch({ from: '/frame/search' });
  const navigate = useNavigate();
  const [typed, type] = useTypedQuery(
    q,
    (text) => void navigate({ to: '/search', search: (old) => ({ ...old, q: text }), replace: true }),
  );
  return (
    <div className={styles.page}>
      <PageTitle title={common.search} className={styles.title} />
      <label className={styles.box}>
        <Search size={18} />
        <input
          type="search"
          aria-label={texts.searchConversations}
          aria-describedby="search-help"
          placeholder={texts.searchConversations}
          dir="auto"
          autoFocus
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
      </label>
      <p id="search-help" className={styles.help}>
        <code>{texts.exactWords}</code> <code>{texts.without}</code> <code>{texts.thisOrThat}</code>
      </p>
      <SearchFilters />
      {q.trim() === '' ? null : <Results key={`${agent} ${days}`} q={q} agentId={agent} days={days} />}
      <ApiNote
        tag="conversations"
        path={`/v1/conversations/search?q=${encodeURIComponent(q.trim() || texts.anyWord)}`}
      />
    </div>
  );
}

interface ResultsProps {
  q: string;
  agentId: string | undefined;
  days: number | undefined;
}

function Results({ q, agentId, days }: ResultsProps) {
  const [since] = useState(() => (days ? new Date(serviceNow() - days * 86_400_000).toISOString() : null));
  const list = useInfiniteQuery({
    ...pagedQuery(SearchConversationsDocument, { q, agentId, since, limit: 50 }, ({ searchConversations }) =>
      searchConversations.pageInfo.hasNextPage ? searchConversations.pageInfo.endCursor : null,
    ),
    placeholderData: keepPreviousData,
  });
  const hits = list.data?.pages.flatMap(({ searchConversations }) => searchConversations.data) ?? [];
  if (list.isSuccess && hits.length === 0) {
    return (
      <EmptyState icon={<Search size={20} />} title={texts.nothingFound}>
        {texts.tryOtherWordsFewer} <a href="/docs/guide/conversations">{common.readGuide}</a>
      </EmptyState>
    );
  }
  const groups = Map.groupBy(hits, ({ conversation }) => conversation.id);
  return (
    <>
      {Array.from(groups, ([id, group]) => (
        <Group key={id} hits={group} q={q} />
      ))}
      <ListStates list={list} />
    </>
  );
}

function Group({ hits, q }: { hits: Hit[]; q: string }) {
  const [first] = hits;
  if (!first) return null;
  return (
    <section className={styles.group}>
      <h2 dir="auto">{first.conversation.title ?? shared.newConversation}</h2>
      <ul>
        {hits.map(({ conversation, highlight, message }) => (
          <li key={message.id}>
            <Link
              to="/chat/$conversationId"
              params={{ conversationId: conversation.id }}
              search={{ m: message.id, q }}
              data-row
              className={styles.hit}
            >
              <Highlight html={highlight} />
              <span className={styles.meta}>
                {message.role === 'USER' ? shared.you : common.agent} · <TimeAgo date={message.createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
