import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { FollowDocument, MeDocument, type PersonFragment, UnfollowDocument } from '../api/generated/operations.ts';
import { keyOf, query } from '../api/query.ts';
import { request } from '../api/request.ts';
import { Avatar } from '../parts/avatar.tsx';
import { ListStates } from '../parts/lists/list-states.tsx';
import { ToggleButton } from '../parts/controls/toggle-button.tsx';
import { followQueries } from './follow-queries.ts';
import { texts } from './texts.ts';
import styles from './social.module.css';

interface FollowListProps extends ComponentProps<typeof ListStates> {
  label: string;
  people: readonly PersonFragment[] | undefined;
}

const labels = [texts.follow, texts.unfollow] as const;

/** A list of accounts, each with a follow button. */
export function FollowList({ label, people, list }: FollowListProps) {
  const cache = useQueryClient();
  const { data: account } = useQuery(query(MeDocument, {}));
  const change = async (userId: string, isOn: boolean): Promise<void> => {
    await (isOn ? request(FollowDocument, { userId }) : request(UnfollowDocument, { userId }));
    // Marked stale without a refetch: the row stays until the page is left, so that a mistake can be undone.
    for (const document of followQueries)
      void cache.invalidateQueries({ queryKey: keyOf(document), refetchType: 'none' });
  };
  return (
    <>
      {people && people.length > 0 && (
        <ul className={styles.entries} aria-label={label}>
          {people.map(({ id, username, displayName, followed, picture }) => (
            <li key={id}>
              <Avatar name={displayName ?? username} picture={picture} size={32} />
              <div>
                <Link to="/users/$username" params={{ username }} data-row>
                  <bdi>{displayName ?? username}</bdi>
                </Link>
                {displayName && (
                  <p className={styles.hint}>
                    <bdi>{username}</bdi>
                  </p>
                )}
              </div>
              {account && account.me.id !== id && (
                <ToggleButton
                  isOn={followed === true}
                  labels={labels}
                  about={displayName ?? username}
                  failure={texts.notChanged}
                  onChange={(isOn) => change(id, isOn)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <ListStates list={list} />
    </>
  );
}
