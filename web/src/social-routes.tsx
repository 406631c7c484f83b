import { createRoute } from '@tanstack/react-router';
import { frame } from './frame-route.tsx';
import { loadScreen } from './parts/layers/load-part.ts';
import { screen } from './screen.ts';
import { caseSearch, marketplaceSearch } from './search-params.ts';

const marketplace = createRoute({
  getParentRoute: () => frame,
  path: '/marketplace',
  validateSearch: marketplaceSearch,
  component: screen(() => import('./marketplace/marketplace-page.tsx'), 'MarketplacePage'),
});
const listing = createRoute({
  getParentRoute: () => frame,
  path: '/marketplace/$slugOrId',
  loader: async ({ params }) =>
    (await loadScreen(() => import('./marketplace/loaders.ts'))).loadListing(params.slugOrId),
  component: screen(() => import('./marketplace/listing-page.tsx'), 'ListingPage'),
});

const ownListing = createRoute({
  getParentRoute: () => frame,
  path: '/agents/$agentId/listing',
  loader: async ({ params }) =>
    (await loadScreen(() => import('./marketplace/loaders.ts'))).loadOwnListing(params.agentId),
  component: screen(() => import('./marketplace/listing-editor-page.tsx'), 'ListingEditorPage'),
});

const feed = createRoute({
  getParentRoute: () => frame,
  path: '/feed',
  component: screen(() => import('./social/feed-page.tsx'), 'FeedPage'),
});
const user = createRoute({
  getParentRoute: () => frame,
  path: '/users/$username',
  loader: async ({ params }) => (await loadScreen(() => import('./social/loaders.ts'))).loadProfile(params.username),
  component: screen(() => import('./social/profile-page.tsx'), 'UserPage'),
});
const share = createRoute({
  getParentRoute: () => frame,
  path: '/share/$token',
  loader: async ({ params }) => (await loadScreen(() => import('./social/loaders.ts'))).loadShared(params.token),
  component: screen(() => import('./social/shared-page.tsx'), 'SharedPage'),
});
const sharing = createRoute({
  getParentRoute: () => frame,
  path: '/settings/sharing',
  component: screen(() => import('./social/sharing-page.tsx'), 'SharingPage'),
});

const ofUser = {
  getParentRoute: () => frame,
  loader: async ({ params }: { params: { username: string } }) =>
    (await loadScreen(() => import('./social/loaders.ts'))).loadProfile(params.username),
} as const;
const userFollowers = createRoute({
  ...ofUser,
  path: '/users/$username/followers',
  component: screen(() => import('./social/user-follows-page.tsx'), 'UserFollowersPage'),
});
const userFollowing = createRoute({
  ...ofUser,
  path: '/users/$username/following',
  component: screen(() => import('./social/user-follows-page.tsx'), 'UserFollowingPage'),
});
const likes = createRoute({
  getParentRoute: () => frame,
  path: '/me/likes',
  component: screen(() => import('./social/likes-page.tsx'), 'LikesPage'),
});
const followers = createRoute({
  getParentRoute: () => frame,
  path: '/me/followers',
  component: screen(() => import('./social/own-follows-page.tsx'), 'FollowersPage'),
});
const following = createRoute({
  getParentRoute: () => frame,
  path: '/me/following',
  component: screen(() => import('./social/own-follows-page.tsx'), 'FollowingPage'),
});

const reports = createRoute({
  getParentRoute: () => frame,
  path: '/settings/reports',
  component: screen(() => import('./moderation/reports-page.tsx'), 'ReportsPage'),
});
const ofModerators = {
  getParentRoute: () => frame,
  loader: async () => (await loadScreen(() => import('./moderation/loaders.ts'))).requireModerator(),
} as const;
const moderation = createRoute({
  ...ofModerators,
  path: '/moderation',
  validateSearch: caseSearch,
  component: screen(() => import('./moderation/moderation-page.tsx'), 'ModerationPage'),
});
const featured = createRoute({
  ...ofModerators,
  path: '/moderation/featured',
  component: screen(() => import('./moderation/featured-page.tsx'), 'FeaturedPage'),
});
const moderationCase = createRoute({
  getParentRoute: () => frame,
  path: '/moderation/$subjectType/$subjectId',
  loader: async ({ params }) =>
    (await loadScreen(() => import('./moderation/loaders.ts'))).loadCase(params.subjectType, params.subjectId),
  component: screen(() => import('./moderation/case-page.tsx'), 'CasePage'),
});

/** Routes of the marketplace, sharing, following and moderation. */
export const socialRoutes = [
  marketplace,
  listing,
  ownListing,
  feed,
  user,
  userFollowers,
  userFollowing,
  likes,
  followers,
  following,
  share,
  sharing,
  reports,
  moderation,
  featured,
  moderationCase,
] as const;
