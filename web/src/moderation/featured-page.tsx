import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import {
  FeatureAgentDocument,
  FeaturedAgentsDocument,
  MarketplaceHomeDocument,
  StopFeaturingAgentDocument,
} from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ErrorNote } from '../parts/lists/error-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { Skeleton } from '../parts/lists/skeleton.tsx';
import { ToggleButton } from '../parts/controls/toggle-button.tsx';
import { DeskTabs } from './desk-tabs.tsx';
import { texts } from './texts.ts';
import styles from './moderation.module.css';

const labels = [texts.feature, texts.stopFeaturing] as const;

/** The featured agents of the marketplace. */
export function FeaturedPage() {
  const cache = useQueryClient();
  const { data, error, refetch } = useQuery(query(FeaturedAgentsDocument, {}));
  const featured = data?.marketplaceHome.featured;
  const change = async (agentId: string, isOn: boolean): Promise<void> => {
    await (isOn ? request(FeatureAgentDocument, { agentId }) : request(StopFeaturingAgentDocument, { agentId }));
    // Marked stale without a refetch: the row stays until the page is left, so that a mistake can be undone.
    for (const document of [FeaturedAgentsDocument, MarketplaceHomeDocument])
      void cache.invalidateQueries({ queryKey: keyOf(document), refetchType: 'none' });
  };
  return (
    <Page title={texts.featured} lead={texts.featureHint} tabs={<DeskTabs />}>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={['100%', '100%']} height={56} />}
      {featured?.length === 0 && (
        <EmptyState
          icon={<Sparkles size={20} />}
          title={texts.noFeatured}
          action={<ButtonLink to="/marketplace">{texts.openMarketplace}</ButtonLink>}
        />
      )}
      {featured && featured.length > 0 && (
        <ul className={styles.entries}>
          {featured.map(({ agentId, slug, name, description, picture }) => (
            <li key={agentId}>
              <Avatar name={name} picture={picture} size={32} />
              <div>
                <Link to="/marketplace/$slugOrId" params={{ slugOrId: slug }} data-row dir="auto">
                  {name}
                </Link>
                {description && (
                  <p dir="auto" className={styles.hint}>
                    {description}
                  </p>
                )}
              </div>
              <ToggleButton
                isOn
                labels={labels}
                about={name}
                failure={texts.notChanged}
                onChange={(isOn) => change(agentId, isOn)}
              />
            </li>
          ))}
        </ul>
      )}
      <ApiNote tag="marketplace" path="/v1/marketplace/home" />
    </Page>
  );
}
