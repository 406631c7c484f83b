import { Link } from '@tanstack/react-router';
import type { ProfilePartsFragment } from '../api/generated/operations.ts';
import { useSignedIn } from '../api/use-signed-in.ts';
import { texts } from './texts.ts';

/** Numbers of followers and followed accounts; for a signed-in person they link to the lists. */
export function FollowCounts({ profile }: { profile: ProfilePartsFragment }) {
  const isSignedIn = useSignedIn();
  const { username, followerCount, followingCount } = profile;
  if (!isSignedIn)
    return (
      <>
        <span>{texts.followers(followerCount)}</span>
        <span>{texts.following(followingCount)}</span>
      </>
    );
  return (
    <>
      <Link to="/users/$username/followers" params={{ username }}>
        {texts.followers(followerCount)}
      </Link>
      <Link to="/users/$username/following" params={{ username }}>
        {texts.following(followingCount)}
      </Link>
    </>
  );
}
