import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ProfileAgentsDocument, PublicProfileDocument } from '../api/generated/operations.ts';
import { pagedQuery, query } from '../api/query.ts';
import { ApiNote } from '../parts/page/api-note.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { ListStates } from '../parts/lists/list-states.tsx';
import { ownPath } from '../parts/own-path.ts';
import { Page } from '../parts/page/page.tsx';
import { FollowCounts } from './follow-counts.tsx';
import { ProfileActions } from './profile-actions.tsx';
import { texts } from './texts.ts';
import styles from './social.module.css';

const months = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The public profile of an account. */
export function UserPage() {
  const { username } = useParams({ from: '/frame/users/$username' });
  const { profile } = useSuspenseQuery(query(PublicProfileDocument, { username })).data;
  const list = useInfiniteQuery(
    pagedQuery(ProfileAgentsDocument, { username }, ({ profileAgents: { pageInfo } }) =>
      pageInfo.hasNextPage ? pageInfo.endCursor : null,
    ),
  );
  const agents = list.data?.pages.flatMap((page) => page.profileAgents.data);
  const name = profile.displayName ?? profile.username;
  const navigate = useNavigate();
  // A former name leads here too.
  useEffect(() => {
    if (username !== profile.username)
      void navigate({ to: '/users/$username', params: { username: profile.username }, replace: true });
  }, [username, profile.username, navigate]);
  return (
    <Page
      title={name}
      lead={profile.displayName && <bdi>{profile.username}</bdi>}
      action={<ProfileActions profile={profile} />}
    >
      {profile.bannerUrl && <img className={styles.banner} src={ownPath(profile.bannerUrl)} alt="" />}
      {profile.bio && (
        <p dir="auto" className={styles.text}>
          {profile.bio}
        </p>
      )}
      <div className={styles.facts}>
        <Avatar name={name} picture={profile.picture} size={64} />
        <FollowCounts profile={profile} />
        <span>{texts.agents(profile.agentCount)}</span>
        <span className={styles.hint}>{texts.joined(months.format(new Date(profile.createdAt)))}</span>
      </div>
      {agents?.length === 0 && <p className={styles.hint}>{texts.noAgentYet}</p>}
      {agents && agents.length > 0 && (
        <ul className={styles.list}>
          {agents.map(({ id, name: agentName, description, picture }) => (
            <li key={id}>
              <Avatar name={agentName} picture={picture} size={32} />
              <div>
                <Link to="/marketplace/$slugOrId" params={{ slugOrId: id }} data-row dir="auto">
                  {agentName}
                </Link>
                {description && (
                  <p dir="auto" className={styles.hint}>
                    {description}
                  </p>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      <ListStates list={list} />
      <ApiNote tag="social" path={`/v1/users/${profile.username}`} />
    </Page>
  );
}
