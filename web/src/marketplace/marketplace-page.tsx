import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Store } from 'lucide-react';
import { MarketplaceDocument, type MarketplaceSort, OwnProfileDocument } from '../api/generated/operations.ts';
import { pagedQuery, query } from '../api/query.ts';
import { useSignedIn } from '../api/use-signed-in.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Button } from '../parts/controls/button.tsx';
import { categoryNames } from '../parts/values/category-names.ts';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ListStates } from '../parts/lists/list-states.tsx';
import { Page } from '../parts/page/page.tsx';
import { useTypedQuery } from '../parts/controls/use-typed-query.ts';
import { LanguageSelect } from './language-select.tsx';
import { knownLanguage } from './languages.ts';
import { ListingGrid } from './listing-card.tsx';
import { MarketplaceHome } from './marketplace-home.tsx';
import { texts } from './texts.ts';
import styles from './marketplace.module.css';

const sorts: readonly [MarketplaceSort, string][] = [
  ['TRENDING', texts.trending],
  ['POPULAR', texts.popular],
  ['RATING', texts.ratingTop],
  ['RECENT', texts.recent],
];

/** The marketplace, also for people without an account. The address holds query and filters. */
export function MarketplacePage() {
  const { q, category, tag, language: given, sort } = useSearch({ from: '/frame/marketplace' });
  const language = knownLanguage(given);
  const navigate = useNavigate({ from: '/marketplace' });
  const [typed, type] = useTypedQuery(
    q,
    (text) => void navigate({ search: (old) => ({ ...old, q: text }), replace: true }),
  );
  const isAsked = [q, category, tag, language, sort].some((one) => one !== undefined);
  // Relevance needs a query; without one the default order applies.
  const shown = !q && sort === 'RELEVANCE' ? undefined : sort;
  const offered = q ? [['RELEVANCE', texts.anyRelevance] as const, ...sorts] : sorts;
  return (
    <Page title={texts.marketplace} lead={texts.hereAreAgents}>
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
          value={shown ?? offered[0]?.[0]}
          onChange={({ target }) =>
            void navigate({ search: (old) => ({ ...old, sort: target.value as MarketplaceSort }), replace: true })
          }
        >
          {offered.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <LanguageSelect
          value={language}
          onChange={(chosen) => void navigate({ search: (old) => ({ ...old, language: chosen }), replace: true })}
        />
      </div>
      <div className={styles.chips} role="group" aria-label={texts.category}>
        {categoryNames.map(([value, label]) => (
          <Button
            key={value}
            size="small"
            aria-pressed={category === value}
            className={styles.chip}
            onClick={() =>
              void navigate({ search: (old) => ({ ...old, category: category === value ? undefined : value }) })
            }
          >
            {label}
          </Button>
        ))}
        {tag && (
          <Button
            size="small"
            aria-pressed
            className={styles.chip}
            onClick={() => void navigate({ search: (old) => ({ ...old, tag: undefined }) })}
          >
            {texts.tagNamed(tag)}
          </Button>
        )}
      </div>
      {isAsked ? <Found sort={shown} language={language} /> : <MarketplaceHome />}
      <ApiNote tag="marketplace" path={isAsked ? '/v1/marketplace' : '/v1/marketplace/home'} />
    </Page>
  );
}

function Found({ sort, language }: { sort: MarketplaceSort | undefined; language: string | undefined }) {
  const { q, category, tag } = useSearch({ from: '/frame/marketplace' });
  const isSignedIn = useSignedIn();
  const { data: own } = useQuery({ ...query(OwnProfileDocument, {}), enabled: isSignedIn });
  const mature = own?.ownProfile.showMature === true ? true : undefined;
  const list = useInfiniteQuery({
    ...pagedQuery(MarketplaceDocument, { q, category, tag, language, sort, mature }, ({ marketplace: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
    placeholderData: keepPreviousData,
  });
  const listings = list.data?.pages.flatMap((page) => page.marketplace.data);
  return (
    <section
      className={styles.section}
      aria-label={texts.searchResult}
      data-stale={list.isPlaceholderData || undefined}
    >
      {listings?.length === 0 && (
        <EmptyState icon={<Store size={20} />} title={texts.noAgentFound}>
          {texts.tryOtherWordsAnother}
        </EmptyState>
      )}
      {listings && <ListingGrid listings={listings} />}
      <ListStates list={list} height={130} shown={listings?.length} />
    </section>
  );
}
