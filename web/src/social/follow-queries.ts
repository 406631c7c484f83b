import {
  FollowersDocument,
  FollowingDocument,
  ProfileFollowersDocument,
  ProfileFollowingDocument,
  PublicProfileDocument,
} from '../api/generated/operations.ts';

/** What shows who follows whom. */
export const followQueries = [
  PublicProfileDocument,
  FollowingDocument,
  FollowersDocument,
  ProfileFollowersDocument,
  ProfileFollowingDocument,
] as const;
