import { createRoute } from '@tanstack/react-router';
import { frame } from './frame-route.tsx';
import { loadScreen } from './parts/load-part.ts';
import { screen } from './screen.ts';
import { marketplaceSearch } from './search-params.ts';

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

/** The marketplace, what people share, and what moderators decide. */
export const socialRoutes = [marketplace, listing, ownListing, feed, user, share, sharing] as const;
