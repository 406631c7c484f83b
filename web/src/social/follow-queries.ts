import {
  FollowersDocument,
  FollowingDocument,
  ProfileFollowersDocument,
  ProfileFollowingDocument,
  PublicProfileDocument,
} from '../api/generated/operations.ts';

/** Queries to invalidate after a follow or unfollow. */
export const followQueries = [
  PublicProfileDocument,
  FollowingDocument,
  FollowersDocument,
  ProfileFollowersDocument,
  ProfileFollowingDocument,
] as const;
