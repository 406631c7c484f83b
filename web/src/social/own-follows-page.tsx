import { useInfiniteQuery } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { FollowersDocument, FollowingDocument } from '../api/generated/operations.ts';
import { pagedQuery } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { ButtonLink } from '../parts/controls/button-link.tsx';
import { EmptyState } from '../parts/lists/empty-state.tsx';
import { Page } from '../parts/page/page.tsx';
import { FollowList } from './follow-list.tsx';
import { OwnTabs } from './own-tabs.tsx';
import { texts } from './texts.ts';

/** The accounts that the person follows. */
export function FollowingPage() {
  const list = useInfiniteQuery(
    pagedQuery(FollowingDocument, {}, ({ following: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
  );
  const people = list.data?.pages.flatMap((page) => page.following.data);
  return (
    <Page title={texts.followingTitle} tabs={<OwnTabs />}>
      {people?.length === 0 && (
        <EmptyState
          icon={<Users size={20} />}
          title={texts.noFollowing}
          action={<ButtonLink to="/marketplace">{texts.openMarketplace}</ButtonLink>}
        >
          {texts.noFollowingText}
        </EmptyState>
      )}
      <FollowList label={texts.followingTitle} people={people} list={list} />
      <ApiNote tag="social" path="/v1/social/following" />
    </Page>
  );
}

/** The accounts that follow the person. */
export function FollowersPage() {
  const list = useInfiniteQuery(
    pagedQuery(FollowersDocument, {}, ({ followers: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
  );
  const people = list.data?.pages.flatMap((page) => page.followers.data);
  return (
    <Page title={texts.followersTitle} tabs={<OwnTabs />}>
      {people?.length === 0 && (
        <EmptyState icon={<Users size={20} />} title={texts.noFollower}>
          {texts.noFollowerText}
        </EmptyState>
      )}
      <FollowList label={texts.followersTitle} people={people} list={list} />
      <ApiNote tag="social" path="/v1/social/followers" />
    </Page>
  );
}
