import { exampleValues } from '../core/example-values.ts';
import type { EventEntries } from '../core/outbox.ts';
import type { ShareView } from './shares/share-view.ts';

/** The share as its owner sees it, without the link. */
export type ShareEventData = Omit<ShareView, 'ownerId'> & { url: null; sequence: number };

interface SocialEvents {
  'user.followed': { followerCount: number; sequence: number };
  'agent.liked': { agentId: string; likeCount: number; sequence: number };
  'share.created': ShareEventData;
}

declare module '../core/outbox.ts' {
  interface EventData extends SocialEvents {}
}

const { agentId, conversationId, at } = exampleValues;
const integer = { type: 'integer' };

export const socialEvents: EventEntries<SocialEvents> = {
  'user.followed': {
    description: 'Users followed you since the last event of this type. Sent at most once a minute.',
    data: [{ properties: { follower_count: integer } }],
    example: { followerCount: 12, sequence: 1 },
  },
  'agent.liked': {
    description: 'Users liked an agent since its last event of this type. Sent at most once a minute per agent.',
    data: [{ properties: { agent_id: { type: 'string' }, like_count: integer } }],
    example: { agentId, likeCount: 40, sequence: 1 },
  },
  'share.created': {
    description: 'You shared an agent or a conversation. `data` is the share without its link.',
    data: [{ resource: 'Share' }],
    example: {
      id: 'shr_019bc0de-0000-7000-8000-000000000011',
      type: 'conversation',
      agentId,
      conversationId,
      title: 'Prime numbers',
      note: null,
      url: null,
      anonymous: true,
      inFeed: false,
      indexable: false,
      messageCount: 4,
      viewCount: 0,
      createdAt: at,
      revokedAt: null,
      sequence: 1,
    },
  },
};

export const shareEventData = ({ ownerId: _owner, ...share }: ShareView): ShareEventData => ({
  ...share,
  url: null,
  sequence: 1,
});
