import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { type AgentCategory, type ListingCardFragment, MarketplaceHomeDocument } from '../api/generated/operations.ts';
import { query } from '../api/query.ts';
import { categoryNames } from '../parts/values/category-names.ts';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { ListingGrid } from './listing-card.tsx';
import { texts } from './texts.ts';
import styles from './marketplace.module.css';

const names = new Map<AgentCategory, string>(categoryNames);

/** Start page of the marketplace: featured, trending and new agents, then the best of each category. */
export function MarketplaceHome() {
  const { data, error, refetch } = useQuery(query(MarketplaceHomeDocument, {}));
  if (error && !data) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={['100%', '100%', '100%']} height={130} />;
  const { featured, trending, new: recent, categories } = data.marketplaceHome;
  if (recent.length === 0)
    return (
      <EmptyState icon={<Store size={20} />} title={texts.nothingHere}>
        {texts.publishYours}
      </EmptyState>
    );
  return (
    <>
      <Section title={texts.featured} listings={featured} />
      <Section
        title={texts.trending}
        listings={trending}
        more={
          <Link to="/marketplace" search={{ sort: 'TRENDING' }} aria-label={`${texts.seeMore}: ${texts.trending}`}>
            {texts.seeMore}
          </Link>
        }
      />
      <Section
        title={texts.newest}
        listings={recent}
        more={
          <Link to="/marketplace" search={{ sort: 'RECENT' }} aria-label={`${texts.seeMore}: ${texts.newest}`}>
            {texts.seeMore}
          </Link>
        }
      />
      {categories.map(({ category, data: listings }) => (
        <Section
          key={category}
          title={names.get(category) ?? category}
          listings={listings}
          more={
            <Link to="/marketplace" search={{ category }} aria-label={`${texts.seeMore}: ${names.get(category)}`}>
              {texts.seeMore}
            </Link>
          }
        />
      ))}
    </>
  );
}

interface SectionProps {
  title: string;
  listings: readonly ListingCardFragment[];
  more?: ReactNode;
}

const Section = ({ title, listings, more }: SectionProps) =>
  listings.length > 0 && (
    <section className={styles.section} aria-label={title}>
      <header className={styles.headline}>
        <h2>{title}</h2>
        {more}
      </header>
      <ListingGrid listings={listings} />
    </section>
  );
