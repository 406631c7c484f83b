import { exampleValues } from '../../core/example-values.ts';
import type { EventEntries } from '../../core/outbox.ts';
import type { ReviewView } from './reviews.ts';

/** A review in event data. Its author has no id. */
export interface ReviewEventData {
  id: string;
  agentId: string;
  rating: number;
  text: string | null;
  author: { username: string; displayName: string | null; avatarUrl: string | null } | null;
  ownerReply: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** Always 1: a review has a single event. */
  sequence: number;
}

interface ReviewEvents {
  'review.created': ReviewEventData;
}

declare module '../../core/outbox.ts' {
  interface EventData extends ReviewEvents {}
}

const { agentId, reviewId, at } = exampleValues;

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const time = { type: 'string', format: 'date-time' };
/** Unlike the author in the API resource, the author in an event has no id. */
const author = {
  type: ['object', 'null'],
  properties: { username: text, display_name: textOrNull, avatar_url: textOrNull },
};
const withoutAuthor = {
  id: text,
  agent_id: text,
  rating: { type: 'integer' },
  text: textOrNull,
  owner_reply: textOrNull,
  created_at: time,
  updated_at: time,
};

export const reviewEvents: EventEntries<ReviewEvents> = {
  'review.created': {
    description: 'Someone reviewed one of your agents for the first time. `data` is the review.',
    data: [{ properties: { ...withoutAuthor, author } }],
    example: {
      id: reviewId,
      agentId,
      rating: 5,
      text: 'Explains everything twice.',
      author: { username: 'grace', displayName: 'Grace', avatarUrl: null },
      ownerReply: null,
      createdAt: at,
      updatedAt: at,
      sequence: 1,
    },
  },
};

export const reviewEventData = (review: ReviewView): ReviewEventData => ({
  id: review.id,
  agentId: review.agentId,
  rating: review.rating,
  text: review.text ?? null,
  author: authorOf(review),
  ownerReply: review.ownerReply ?? null,
  createdAt: review.createdAt,
  updatedAt: review.updatedAt,
  sequence: 1,
});

/** Returns the author as others see them; null while the account is being deleted. */
export const authorOf = (review: ReviewView): ReviewEventData['author'] =>
  review.authorUsername === null
    ? null
    : {
        username: review.authorUsername,
        displayName: review.authorDisplayName,
        avatarUrl: review.authorAvatarUrl,
      };
