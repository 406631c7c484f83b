import DataLoader from 'dataloader';
import { type PublicProfile, publicProfilesOf } from '../src/accounts/public-profiles.ts';
import type { Agent } from '../src/agents/agent.entity.ts';
import type { AnswerBudget } from './answer-budget.ts';
import { agentsByIds } from '../src/agents/agents.ts';
import { listBranches } from '../src/conversations/messages/branches.ts';
import { type Feedback, feedbackOf } from '../src/conversations/messages/feedback.ts';
import type { Message } from '../src/conversations/messages/message.entity.ts';
import {
  generationsOfMessages,
  type LatestGeneration,
  latestGenerationsOf,
  type MessageGeneration,
} from '../src/conversations/generations/latest-generations.ts';
import { documentCountsOf } from '../src/knowledge/document-counts.ts';
import { type ChunkExcerpt, chunkExcerpts } from '../src/knowledge/chunks.ts';
import { followedAmong } from '../src/social/relations/follows.ts';
import { type AgentLikes, likesOf } from '../src/social/relations/likes.ts';
import { type SharePreview, sharePreviews } from '../src/social/shares/view-shared.ts';
import { liveVersionsOf, type ShownVersion } from '../src/studio/versions.ts';
import { type LastMessage, lastMessagesOf, latestMessagesOf } from '../src/conversations/messages/messages.ts';
import { type Picture, picturesOf } from '../src/images/pictures.ts';
import { featuredAmong } from '../src/marketplace/featured.ts';
import { listingsOf } from '../src/marketplace/listing.ts';
import type { ListingView } from '../src/marketplace/listing-view.ts';
import { ownReviews, type ReviewView } from '../src/marketplace/reviews/reviews.ts';
import type { Ctx } from '../src/core/ctx.ts';
import { type DeliveredEvent, deliveredEvents } from '../src/webhooks/deliveries/sent-request.ts';
import { type HourCount, lastHours } from '../src/webhooks/deliveries/stats-series.ts';

/** Batching loaders for the nested reads of a request: one statement per kind and batch. */
export interface Loaders {
  /** Agents that the caller may use; null for others. */
  agent: DataLoader<string, Agent | null>;
  /** Profiles of agents' creators by user id; null if the account is gone. */
  publicProfile: DataLoader<string, PublicProfile | null>;
  /** Number of documents of the caller's agents; null for agents of another user. */
  documentCount: DataLoader<string, number | null>;
  /** Live versions of the caller's agents; null for agents of another user. */
  liveVersion: DataLoader<string, ShownVersion | null>;
  /** Likes of agents: their number, and whether the caller is among them. */
  likes: DataLoader<string, AgentLikes>;
  /** Whether the caller follows a user. Requires a credential. */
  followed: DataLoader<string, boolean>;
  /** Previews of shares in feed items. */
  sharePreview: DataLoader<string, SharePreview | null>;
  /** Pictures by their URL. */
  picture: DataLoader<string, Picture | null>;
  /** Listings of agents that the caller may use; null for others. */
  listing: DataLoader<string, ListingView | null>;
  /** Whether moderators feature an agent. */
  featured: DataLoader<string, boolean>;
  /** The caller's reviews by agent; null without one. */
  ownReview: DataLoader<string, ReviewView | null>;
  /** Ids of the alternatives to a message, including itself, oldest first. */
  branchIds: DataLoader<string, string[]>;
  feedback: DataLoader<string, Feedback | null>;
  /** Newest messages of a conversation that the caller may read, oldest first. */
  latestMessages: DataLoader<string, Message[]>;
  /** Newest message of a conversation that the caller may read. */
  lastMessage: DataLoader<string, LastMessage | null>;
  /** Latest generation in a conversation. */
  latestGeneration: DataLoader<string, LatestGeneration | null>;
  /** How a message was generated, or why it has no reply; null if neither. */
  messageGeneration: DataLoader<string, MessageGeneration | null>;
  /** Place and beginning of a chunk; null if the chunk is gone. */
  chunkExcerpt: DataLoader<string, ChunkExcerpt | null>;
  /** Events of deliveries by event id; null if purged. */
  deliveredEvent: DataLoader<string, DeliveredEvent | null>;
  /** Hourly counts of ended deliveries by webhook. */
  webhookHours: DataLoader<string, HourCount[]>;
}

const maxBatchSize = 200;
/** Maximum number of conversations per batch. Each has up to 50 messages of up to 32,000 characters. */
const maxConversationBatch = 10;
/** Maximum number of events per batch. An event can contain a message of up to 32,000 characters. */
const maxEventBatch = 50;
const excerptCharacters = 1_200;

/** Creates the loaders of one request. Those of long texts reject with `payload_too_large` when `budget` is exceeded. */
export function createLoaders(ctx: Ctx, budget: AnswerBudget): Loaders {
  const loader = <Value>(load: (ids: readonly string[]) => Promise<Value[]>) =>
    new DataLoader<string, Value>(load, { maxBatchSize });
  return {
    agent: loader(async (ids) => {
      const agents = new Map((await agentsByIds(ctx, ids)).map((agent) => [agent.id, agent]));
      return ids.map((id) => agents.get(id) ?? null);
    }),
    publicProfile: loader(async (ids) => {
      const profiles = new Map((await publicProfilesOf(ctx, ids)).map((profile) => [profile.id, profile]));
      return ids.map((id) => profiles.get(id) ?? null);
    }),
    documentCount: loader(async (ids) => {
      const counts = new Map((await documentCountsOf(ctx, ids)).map(({ agentId, documents }) => [agentId, documents]));
      return ids.map((id) => counts.get(id) ?? null);
    }),
    liveVersion: loader(async (ids) => {
      const versions = new Map((await liveVersionsOf(ctx, ids)).map((version) => [version.agentId, version]));
      return ids.map((id) => versions.get(id) ?? null);
    }),
    likes: loader(async (ids) => {
      const likes = new Map((await likesOf(ctx, ids)).map((each) => [each.agentId, each]));
      return ids.map((agentId) => likes.get(agentId) ?? { agentId, likeCount: 0, liked: null });
    }),
    followed: loader(async (ids) => {
      const followed = await followedAmong(ctx, ids);
      return ids.map((id) => followed.has(id));
    }),
    sharePreview: loader(async (ids) => {
      const previews = new Map((await sharePreviews(ctx, ids)).map((preview) => [preview.id, preview]));
      return ids.map((id) => previews.get(id) ?? null);
    }),
    listing: loader(async (ids) => {
      const listings = new Map((await listingsOf(ctx, ids)).map((listing) => [listing.id, listing]));
      return ids.map((id) => listings.get(id) ?? null);
    }),
    featured: loader(async (ids) => {
      const featured = await featuredAmong(ctx, ids);
      return ids.map((id) => featured.has(id));
    }),
    ownReview: loader(async (ids) => {
      const reviews = new Map((await ownReviews(ctx, ids)).map((review) => [review.agentId, review]));
      return ids.map((id) => reviews.get(id) ?? null);
    }),
    picture: loader((urls) => picturesOf(ctx, urls)),
    branchIds: loader(async (ids) => {
      const branches = await listBranches(ctx, ids);
      return ids.map((id) => branches.filter((branch) => branch.of === id).map((branch) => branch.id));
    }),
    feedback: loader(async (ids) => {
      const feedback = new Map((await feedbackOf(ctx, ids)).map((each) => [each.messageId, each]));
      return ids.map((id) => feedback.get(id) ?? null);
    }),
    latestMessages: new DataLoader<string, Message[]>(
      (ids) =>
        budget.inTurn(async () => {
          const messages = await latestMessagesOf(ctx, ids);
          budget.spend(...messages.map(({ content }) => content));
          const byConversation = Map.groupBy(messages, (message) => message.conversationId);
          return ids.map((id) => byConversation.get(id) ?? []);
        }),
      { maxBatchSize: maxConversationBatch },
    ),
    lastMessage: loader(async (ids) => {
      const last = new Map((await lastMessagesOf(ctx, ids)).map((each) => [each.conversationId, each]));
      return ids.map((id) => last.get(id) ?? null);
    }),
    latestGeneration: loader(async (ids) => {
      const latest = new Map((await latestGenerationsOf(ctx, ids)).map((each) => [each.conversationId, each]));
      return ids.map((id) => latest.get(id) ?? null);
    }),
    messageGeneration: loader(async (ids) => {
      const byMessage = new Map((await generationsOfMessages(ctx, ids)).map((each) => [each.messageId, each]));
      return ids.map((id) => byMessage.get(id) ?? null);
    }),
    deliveredEvent: new DataLoader<string, DeliveredEvent | null>(
      (ids) =>
        budget.inTurn(async () => {
          const events = await deliveredEvents(ctx, ids);
          budget.spend(...events.map(({ dataText }) => dataText));
          const byId = new Map(events.map((event) => [event.id, event]));
          return ids.map((id) => byId.get(id) ?? null);
        }),
      { maxBatchSize: maxEventBatch },
    ),
    webhookHours: loader(async (ids) => {
      const hours = Map.groupBy(await lastHours(ctx, ids), ({ webhookId }) => webhookId);
      return ids.map((id) => hours.get(id) ?? []);
    }),
    chunkExcerpt: loader(async (ids) => {
      const excerpts = new Map((await chunkExcerpts(ctx, ids, excerptCharacters)).map((chunk) => [chunk.id, chunk]));
      return ids.map((id) => excerpts.get(id) ?? null);
    }),
  };
}
