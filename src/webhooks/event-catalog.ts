import type { EventData, EventType } from '../core/outbox.ts';

/** Every event type of the specification, in its order. */
export const webhookEventTypes = [
  'conversation.created',
  'conversation.deleted',
  'message.created',
  'message.failed',
  'agent.created',
  'agent.updated',
  'agent.deleted',
  'agent.published',
  'subscription.created',
  'subscription.updated',
  'subscription.cancelled',
  'integration.connected',
  'integration.disconnected',
  'integration.error',
] as const;

export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The payload that a feature has declared for a type. */
type DataOf<Type extends WebhookEventType> = Type extends EventType ? EventData[Type] : object;

interface CatalogEntry<Type extends WebhookEventType> {
  /** When it is sent. */
  description: string;
  /** What `data` looks like, in camelCase like the payload that features write. Test events carry it. */
  example: DataOf<Type>;
}

/** A feature that publishes a type which is not in the catalog does not compile. */
type Uncatalogued = Exclude<EventType, WebhookEventType>;

const at = new Date('2026-01-15T09:30:00.000Z');
const later = new Date('2026-01-15T09:31:12.345Z');
const uuid = (n: number): string => `019bc0de-0000-7000-8000-${String(n).padStart(12, '0')}`;
const userId = `usr_${uuid(1)}`;
const agentId = uuid(2);
const conversationId = `conv_${uuid(3)}`;

const conversation = { id: conversationId, agentId, title: null, messageCount: 0, createdAt: at, updatedAt: at };

const agent = {
  id: agentId,
  name: 'Ada',
  description: 'Explains mathematics patiently.',
  instructions: 'You are Ada, a patient tutor of mathematics.',
  model: 'default',
  avatarUrl: null,
  isPublic: false,
  category: 'tutor',
  greetingMessage: 'Hello! What shall we look at today?',
  voiceId: null,
  messageCount: 0,
  creatorId: userId,
  createdAt: at,
  updatedAt: at,
};

const subscription = {
  id: `sub_${uuid(5)}`,
  plan: 'plus' as const,
  status: 'active' as const,
  interval: 'month' as const,
  currentPeriodStart: at,
  currentPeriodEnd: new Date('2026-02-15T09:30:00.000Z'),
  cancelAt: null,
  canceledAt: null,
  createdAt: at,
  processorCustomerId: 'cus_example',
  pendingPlan: null,
};

const integration = {
  id: `int_${uuid(6)}`,
  platform: 'chat_server' as const,
  agentId,
  status: 'active' as const,
  guildId: '112233445566778899',
  channelIds: ['998877665544332211'],
  autoRespond: false,
  messageCount: 0,
  connectedAt: at,
  lastMessageAt: null,
};

/**
 * THE table of events: when each is sent and what its `data` holds. Exhaustive by the compiler in both directions; the
 * documentation page (events.md) and the test events are made from it.
 */
export const eventCatalog: { readonly [Type in WebhookEventType]: CatalogEntry<Type> } & Record<Uncatalogued, never> = {
  'conversation.created': {
    description: 'A conversation was started. `data` is the conversation.',
    example: { ...conversation, sequence: 1 },
  },
  'conversation.deleted': {
    description: 'A conversation was deleted. `data` is the conversation as it was.',
    example: { ...conversation, title: 'Prime numbers', messageCount: 4, updatedAt: later, sequence: 6 },
  },
  'message.created': {
    description: 'A message was stored: the user’s, the agent’s reply or a greeting, once for each.',
    example: {
      conversationId,
      messageId: `msg_${uuid(4)}`,
      role: 'user',
      content: 'What is a prime number?',
      agentId,
      sequence: 2,
    },
  },
  'message.failed': {
    description: 'A reply ended in an error. `message_id` is the message that was not answered.',
    example: {
      conversationId,
      messageId: `msg_${uuid(4)}`,
      agentId,
      code: 'upstream_timeout',
      message: 'The model provider took too long to answer.',
      sequence: 3,
    },
  },
  'agent.created': {
    description: 'An agent was made. `data` is the agent as its owner sees it.',
    example: { ...agent, sequence: 1 },
  },
  'agent.updated': {
    description: 'An agent was changed. `data` is the agent after the change.',
    example: { ...agent, name: 'Ada L.', updatedAt: later, sequence: 2 },
  },
  'agent.deleted': {
    description: 'An agent was deleted, and with it its conversations, documents and integrations.',
    example: { id: agentId, sequence: 4 },
  },
  'agent.published': {
    description: 'An agent turned public, by a change or at its creation (then after `agent.created`).',
    example: { ...agent, isPublic: true, updatedAt: later, sequence: 3 },
  },
  'subscription.created': {
    description: 'A paid subscription started. `data` is the subscription.',
    example: { ...subscription, sequence: 1 },
  },
  'subscription.updated': {
    description: 'The plan, period or status of the subscription changed; the return to the free plan is one of these.',
    example: { ...subscription, plan: 'pro', sequence: 2 },
  },
  'subscription.cancelled': {
    description: 'A cancellation was accepted. The subscription runs on until `cancel_at`.',
    example: { ...subscription, cancelAt: subscription.currentPeriodEnd, canceledAt: later, sequence: 3 },
  },
  'integration.connected': {
    description: 'The connection to the chat platform is up. `data` is the integration.',
    example: { ...integration, sequence: 1 },
  },
  'integration.disconnected': {
    description: 'An integration was deleted or disabled.',
    example: { ...integration, status: 'inactive', sequence: 2 },
  },
  'integration.error': {
    description: 'The connection failed; `error` says why.',
    example: {
      ...integration,
      status: 'error',
      error: { code: 'unauthorized', message: 'The platform does not accept the bot token.' },
      sequence: 3,
    },
  },
};
