import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { asApiError } from '../api/api-error.ts';
import {
  ProfileFollowersDocument,
  ProfileFollowingDocument,
  PublicProfileDocument,
} from '../api/generated/operations.ts';
import { pagedQuery, query } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Page } from '../parts/page/page.tsx';
import { Tabs } from '../parts/page/tabs.tsx';
import { FollowList } from './follow-list.tsx';
import { texts } from './texts.ts';
import pageStyles from '../parts/page/page.module.css';
import styles from './social.module.css';

/** The followers of an account. */
export function UserFollowersPage() {
  const { username } = useParams({ from: '/frame/users/$username/followers' });
  const list = useInfiniteQuery(
    pagedQuery(ProfileFollowersDocument, { username }, ({ profileFollowers: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
  );
  const people = list.data?.pages.flatMap((page) => page.profileFollowers.data);
  const title = texts.followersOf(useName(username));
  return (
    <Page title={title} tabs={<UserTabs username={username} />}>
      {people?.length === 0 && <p className={styles.hint}>{texts.noFollower}</p>}
      <FollowList label={title} people={people} list={list} />
      <ApiNote tag="social" path={`/v1/users/${username}/followers`} />
    </Page>
  );
}

/** The accounts that an account follows, if its settings show them. */
export function UserFollowingPage() {
  const { username } = useParams({ from: '/frame/users/$username/following' });
  const list = useInfiniteQuery(
    pagedQuery(ProfileFollowingDocument, { username }, ({ profileFollowing: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
  );
  const people = list.data?.pages.flatMap((page) => page.profileFollowing.data);
  const title = texts.followedBy(useName(username));
  const isHidden = list.error !== null && asApiError(list.error).code === 'NOT_FOUND';
  return (
    <Page title={title} tabs={<UserTabs username={username} />}>
      {people?.length === 0 && <p className={styles.hint}>{texts.followsNoOne}</p>}
      {isHidden ? (
        <p className={styles.hint}>{texts.followingHidden}</p>
      ) : (
        <FollowList label={title} people={people} list={list} />
      )}
      <ApiNote tag="social" path={`/v1/users/${username}/following`} />
    </Page>
  );
}

function useName(username: string): string {
  const { profile } = useSuspenseQuery(query(PublicProfileDocument, { username })).data;
  return profile.displayName ?? profile.username;
}

const tabs = [
  { to: '/users/$username', label: texts.profile },
  { to: '/users/$username/followers', label: texts.followersTitle },
  { to: '/users/$username/following', label: texts.followingTitle },
] as const;

const UserTabs = ({ username }: { username: string }) => (
  <Tabs label={texts.profile}>
    {tabs.map(({ to, label }) => (
      <Link
        key={to}
        to={to}
        params={{ username }}
        className={pageStyles.tab}
        activeProps={{ className: pageStyles.active }}
        activeOptions={{ exact: true }}
      >
        {label}
      </Link>
    ))}
  </Tabs>
);
