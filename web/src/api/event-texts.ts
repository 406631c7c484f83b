import type { WebhookEventType } from './generated/operations.ts';

/** The name of every event type. A missing one is a compile error. */
const words: Readonly<Record<WebhookEventType, string>> = {
  AGENT_CREATED: 'An agent was created',
  AGENT_UPDATED: 'An agent was updated',
  AGENT_PUBLISHED: 'An agent was published',
  AGENT_UNPUBLISHED: 'An agent is no longer public',
  REVIEW_CREATED: 'Someone reviewed an agent',
  MODERATION_DECIDED: 'A moderation decision was made',
  AGENT_DELETED: 'An agent was deleted',
  AGENT_VERSION_CREATED: 'A version of an agent was saved',
  AGENT_VERSION_PUBLISHED: 'A version of an agent was published',
  EXPERIMENT_STARTED: 'An experiment was started',
  EXPERIMENT_ENDED: 'An experiment ended',
  IMAGE_READY: 'An image was generated',
  IMAGE_FAILED: 'An image could not be generated',
  CONVERSATION_CREATED: 'A conversation was started',
  CONVERSATION_DELETED: 'A conversation was deleted',
  MESSAGE_CREATED: 'A message was stored',
  MESSAGE_FAILED: 'A reply failed',
  INTEGRATION_CONNECTED: 'An integration connected',
  INTEGRATION_DISCONNECTED: 'An integration was disconnected',
  INTEGRATION_ERROR: 'An integration failed',
  ROOM_CREATED: 'A room was created',
  ROOM_DELETED: 'A room was deleted',
  ROOM_MEMBER_JOINED: 'A person joined a room',
  ROOM_MEMBER_LEFT: 'A person left a room',
  ROOM_MESSAGE_CREATED: 'A message was written in a room',
  ROOM_TRANSFER_OFFERED: 'A room was offered to you',
  ROOM_TRANSFERRED: 'A room has a new owner',
  EMBED_CONVERSATION_STARTED: 'A website visitor started a conversation',
  EMBED_LIMIT_REACHED: 'An embed reached a limit',
  USER_FOLLOWED: 'Users followed you',
  AGENT_LIKED: 'Users liked an agent',
  SHARE_CREATED: 'You shared something',
  SUBSCRIPTION_CREATED: 'A paid plan was started',
  SUBSCRIPTION_UPDATED: 'A plan changed',
  SUBSCRIPTION_CANCELLED: 'A plan was cancelled',
};

export const eventTypes = Object.keys(words) as WebhookEventType[];

export const eventWords = (type: WebhookEventType): string => words[type];

/** `AGENT_CREATED` as webhooks name it: `agent.created`. */
export const eventName = (type: WebhookEventType): string => type.toLowerCase().replace('_', '.');

/** The event types in groups by subject, in display order. */
export const eventGroups: readonly (readonly [area: string, types: WebhookEventType[]])[] = [
  ...Map.groupBy(eventTypes, (type) => type.slice(0, type.indexOf('_')).toLowerCase()),
];
