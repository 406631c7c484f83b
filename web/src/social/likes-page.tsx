import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Heart } from 'lucide-react';
import {
  LikeDocument,
  LikesDocument,
  ListingDocument,
  MarketplaceDocument,
  UnlikeDocument,
} from '../api/generated/operations.ts';
import { keyOf, pagedQuery } from '../api/query.ts';
import { request } from '../api/request.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { ListStates } from '../parts/lists/list-states.tsx';
import { Page } from '../parts/page/page.tsx';
import { ToggleButton } from '../parts/controls/toggle-button.tsx';
import { OwnTabs } from './own-tabs.tsx';
import { texts } from './texts.ts';
import styles from './social.module.css';

const labels = [texts.like, texts.unlike] as const;

/** The agents that the person likes. The list is private. */
export function LikesPage() {
  const cache = useQueryClient();
  const list = useInfiniteQuery(
    pagedQuery(LikesDocument, {}, ({ likes: { pageInfo } }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null)),
  );
  const agents = list.data?.pages.flatMap((page) => page.likes.data);
  const change = async (agentId: string, isOn: boolean): Promise<void> => {
    await (isOn ? request(LikeDocument, { agentId }) : request(UnlikeDocument, { agentId }));
    // Marked stale without a refetch: the row stays until the page is left, so that a mistake can be undone.
    for (const document of [LikesDocument, ListingDocument, MarketplaceDocument])
      void cache.invalidateQueries({ queryKey: keyOf(document), refetchType: 'none' });
  };
  return (
    <Page title={texts.likes} lead={texts.likesLead} tabs={<OwnTabs />}>
      {agents?.length === 0 && (
        <EmptyState
          icon={<Heart size={20} />}
          title={texts.noLike}
          action={<ButtonLink to="/marketplace">{texts.openMarketplace}</ButtonLink>}
        >
          {texts.noLikeText}
        </EmptyState>
      )}
      {agents && agents.length > 0 && (
        <ul className={styles.entries} aria-label={texts.likes}>
          {agents.map(({ id, name, description, liked, picture }) => (
            <li key={id}>
              <Avatar name={name} picture={picture} size={32} />
              <div>
                <Link to="/marketplace/$slugOrId" params={{ slugOrId: id }} data-row dir="auto">
                  {name}
                </Link>
                {description && (
                  <p dir="auto" className={styles.hint}>
                    {description}
                  </p>
                )}
              </div>
              <ToggleButton
                isOn={liked === true}
                labels={labels}
                about={name}
                failure={texts.notChanged}
                onChange={(isOn) => change(id, isOn)}
              />
            </li>
          ))}
        </ul>
      )}
      <ListStates list={list} />
      <ApiNote tag="social" path="/v1/social/likes" />
    </Page>
  );
}
