import type { RouteGroup } from './route.ts';

/** Seconds for which a response without a credential may be cached by anyone. */
const publicMaxAge = 30;

export const marketplaceRoutes: RouteGroup = {
  tag: 'Marketplace',
  description: 'Discovery, reviews and copies of public agents. Reading needs no credential.',
  shapes: {
    ListingListItem: { of: 'Listing', omit: ['about', 'starters', 'instructions', 'movedTo', 'myReview'] },
    ListingPage: { of: 'ListingList', omit: [] },
  },
  routes: [
    {
      method: 'GET',
      path: '/marketplace',
      operation: 'Query.marketplace',
      status: 200,
      summary: 'List the agents in the marketplace',
      shapes: { Listing: 'ListingListItem', ListingList: 'ListingPage' },
      publicMaxAge,
    },
    {
      method: 'GET',
      path: '/marketplace/home',
      operation: 'Query.marketplaceHome',
      status: 200,
      summary: 'Get the first page of the marketplace',
      shapes: { Listing: 'ListingListItem' },
      publicMaxAge,
    },
    {
      method: 'GET',
      path: '/marketplace/agents/:id',
      operation: 'Query.listing',
      status: 200,
      summary: 'Get a listing',
      publicMaxAge,
    },
    {
      method: 'GET',
      path: '/agents/:agent_id/listing',
      operation: 'Query.agentListing',
      status: 200,
      summary: 'Get the listing of your agent',
    },
    {
      method: 'PUT',
      path: '/agents/:agent_id/listing',
      operation: 'Mutation.updateListing',
      status: 200,
      summary: 'Update the listing of your agent',
      body: 'input',
      errors: ['conflict', 'forbidden'],
    },
    {
      method: 'POST',
      path: '/agents/:agent_id/copy',
      operation: 'Mutation.copyAgent',
      status: 201,
      summary: 'Copy an agent',
      errors: ['forbidden', 'plan_limit_exceeded'],
    },
    {
      method: 'GET',
      path: '/marketplace/agents/:agent_id/reviews',
      operation: 'Query.reviews',
      status: 200,
      summary: 'List the reviews of an agent',
      publicMaxAge,
    },
    {
      method: 'PUT',
      path: '/marketplace/agents/:agent_id/review',
      operation: 'Mutation.reviewAgent',
      status: 200,
      summary: 'Review an agent',
      body: 'input',
      errors: ['forbidden'],
    },
    {
      method: 'DELETE',
      path: '/marketplace/agents/:agent_id/review',
      operation: 'Mutation.deleteReview',
      status: 200,
      summary: 'Delete your review of an agent',
    },
    {
      method: 'PUT',
      path: '/marketplace/reviews/:id/reply',
      operation: 'Mutation.replyToReview',
      status: 200,
      summary: 'Reply to a review of your agent',
      body: 'input',
      errors: ['forbidden'],
    },
  ],
};
