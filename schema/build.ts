import 'reflect-metadata';
import type { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { buildSchemaSync, type PubSub } from 'type-graphql';
import { protectRootFields } from './access.ts';
import { AccountResolver } from './accounts.ts';
import { AccountLifeResolver } from './account-life.ts';
import { AgentDetailResolver } from './agent-details.ts';
import { AgentResolver } from './agents.ts';
import { ApiKeyResolver } from './api-keys.ts';
import { ChannelResolver } from './channels.ts';
import { BillingResolver } from './billing.ts';
import { PaymentMethodResolver } from './payment-method.ts';
import { PlansResolver } from './plans.ts';
import { ConversationDetailResolver } from './conversation-details.ts';
import { ConversationResolver } from './conversations.ts';
import { GenerationResolver } from './generations.ts';
import { FeedResolver } from './feed.ts';
import { ProfileResolver } from './profiles.ts';
import { AgentLikesResolver, FollowedResolver, ListingLikesResolver, RelationResolver } from './relations.ts';
import { ShareResolver } from './shares.ts';
import { MessageBranchResolver } from './message-branches.ts';
import { DocumentChunkResolver } from './document-chunks.ts';
import { EmbeddingResolver } from './embeddings.ts';
import { EmbedResolver } from './embeds.ts';
import { ImageResolver } from './images.ts';
import {
  AgentPictureResolver,
  ListingPictureResolver,
  ProfilePagePictureResolver,
  ProfilePictureResolver,
  RoomAgentPictureResolver,
  RoomAuthorPictureResolver,
  RoomMemberPictureResolver,
  UserPictureResolver,
} from './pictures.ts';
import { AgentListingResolver, MarketplaceResolver } from './marketplace.ts';
import { ModerationCaseResolver, ModeratorResolver } from './moderation-cases.ts';
import { ModerationResolver } from './moderation.ts';
import { ReviewResolver } from './reviews.ts';
import { KnowledgeResolver } from './knowledge.ts';
import { IntegrationResolver } from './integrations.ts';
import { MessageListResolver } from './message-list.ts';
import { MessageResolver } from './messages.ts';
import { ModelResolver } from './models.ts';
import { PreferencesResolver } from './preferences.ts';
import { PreviewResolver } from './preview.ts';
import { PasswordResolver } from './passwords.ts';
import { SessionResolver } from './sessions.ts';
import { BranchStreamResolver } from './branch-streams.ts';
import {
  CitationDetailsResolver,
  ConversationGenerationResolver,
  MessageGenerationResolver,
} from './generation-states.ts';
import { AnalyticsResolver } from './analytics.ts';
import { SharedFeedbackResolver } from './shared-feedback.ts';
import { ExperimentResultsResolver } from './experiment-results.ts';
import { ExperimentResolver } from './experiments.ts';
import { AgentVersionOfAgentResolver, VersionResolver } from './versions.ts';
import { ServiceResolver } from './service.ts';
import { RoomMemberResolver } from './room-members.ts';
import { RoomMessageResolver } from './room-messages.ts';
import { RoomResolver } from './rooms.ts';
import { SearchResolver } from './search.ts';
import { EventResolver } from './events.ts';
import { WebhookDeliveryResolver } from './webhook-deliveries.ts';
import { WebhookStatsResolver } from './webhook-stats.ts';
import { WebhookResolver } from './webhooks.ts';
import { VoiceResolver } from './voice.ts';

/** The resolver classes. */
const resolvers = [
  AccountResolver,
  PasswordResolver,
  PreferencesResolver,
  PreviewResolver,
  SessionResolver,
  AccountLifeResolver,
  ApiKeyResolver,
  AgentResolver,
  AgentDetailResolver,
  ConversationResolver,
  ConversationDetailResolver,
  MessageListResolver,
  MessageResolver,
  MessageBranchResolver,
  GenerationResolver,
  ModelResolver,
  SearchResolver,
  WebhookResolver,
  WebhookStatsResolver,
  WebhookDeliveryResolver,
  EventResolver,
  ChannelResolver,
  KnowledgeResolver,
  DocumentChunkResolver,
  ImageResolver,
  AgentPictureResolver,
  ListingPictureResolver,
  ProfilePagePictureResolver,
  ProfilePictureResolver,
  RoomAgentPictureResolver,
  RoomAuthorPictureResolver,
  RoomMemberPictureResolver,
  UserPictureResolver,
  BillingResolver,
  PlansResolver,
  PaymentMethodResolver,
  IntegrationResolver,
  RoomResolver,
  RoomMemberResolver,
  RoomMessageResolver,
  EmbedResolver,
  EmbeddingResolver,
  ProfileResolver,
  RelationResolver,
  AgentLikesResolver,
  FollowedResolver,
  ListingLikesResolver,
  ShareResolver,
  FeedResolver,
  VoiceResolver,
  VersionResolver,
  ExperimentResolver,
  AnalyticsResolver,
  SharedFeedbackResolver,
  ExperimentResultsResolver,
  AgentVersionOfAgentResolver,
  ModerationResolver,
  ModerationCaseResolver,
  ModeratorResolver,
  MarketplaceResolver,
  AgentListingResolver,
  ReviewResolver,
  ServiceResolver,
  BranchStreamResolver,
  ConversationGenerationResolver,
  MessageGenerationResolver,
  CitationDetailsResolver,
] as const;

/**
 * Builds the GraphQL schema and protects every root field with its declared access. Needs no database. Input is
 * validated by the operations.
 * @throws Error for a root field without `@Access`
 */
export function buildGraphqlSchema(): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers,
    validate: false,
    // Validating the whole schema at each startup is slow, so `npm run emit` validates it.
    skipCheck: true,
    pubSub: unusedPubSub,
  });
  describeRoots(schema);
  return protectRootFields(schema);
}

/** Sets the descriptions of the root types, which TypeGraphQL does not support. */
function describeRoots(schema: GraphQLSchema): void {
  const describe = (root: GraphQLObjectType | null | undefined, description: string): void => {
    if (root) root.description = description;
  };
  describe(schema.getQueryType(), 'Read operations.');
  describe(schema.getMutationType(), 'Write operations.');
  describe(schema.getSubscriptionType(), 'Event streams, served at /graphql/stream.');
}

/**
 * TypeGraphQL requires a PubSub if there are subscriptions. It is unused, because each subscription here defines
 * `subscribe`.
 */
const unusedPubSub: PubSub = { publish: refuse, subscribe: refuse };

function refuse(): never {
  throw new Error('A subscription must define its own `subscribe`.');
}
