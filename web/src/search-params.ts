import type {
  AgentCategory,
  AgentSort,
  DeliveryStatus,
  ExploreSort,
  MarketplaceSort,
  ModerationCaseState,
  Platform,
  WebhookEventType,
} from './api/generated/operations.ts';

// Parsers of the screens' query parameters. They drop unknown values, because a URL can come from anywhere.

type Given = Record<string, unknown>;

export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const categories = ['ASSISTANT', 'TUTOR', 'DEVELOPER', 'CREATIVE', 'COACH', 'COMPANION', 'CHARACTER', 'OTHER'] as const;
const sorts = ['POPULAR', 'TRENDING', 'RECENT'] as const;
const oneOf = <Value extends string>(values: readonly Value[], given: unknown): Value | undefined =>
  values.find((value) => value === given);

const agentSorts = ['UPDATED_AT', 'CREATED_AT', 'NAME'] as const satisfies AgentSort[];

export const agentSearch = (given: Given): { sort?: AgentSort | undefined } => ({
  sort: oneOf(agentSorts, given['sort']),
});

export interface ExploreSearch {
  q?: string | undefined;
  category?: AgentCategory | undefined;
  sort?: ExploreSort | undefined;
}

export const exploreSearch = (given: Given): ExploreSearch => ({
  q: text(given['q']),
  category: oneOf(categories, given['category']),
  sort: oneOf(sorts, given['sort']),
});

const marketplaceSorts = ['TRENDING', 'POPULAR', 'RECENT', 'RATING', 'RELEVANCE'] as const satisfies MarketplaceSort[];

interface MarketplaceSearch {
  q?: string | undefined;
  category?: AgentCategory | undefined;
  tag?: string | undefined;
  language?: string | undefined;
  sort?: MarketplaceSort | undefined;
}

export const marketplaceSearch = (given: Given): MarketplaceSearch => ({
  q: text(given['q']),
  category: oneOf(categories, given['category']),
  tag: text(given['tag']),
  language: text(given['language']),
  sort: oneOf(marketplaceSorts, given['sort']),
});

const caseStates = ['OPEN', 'APPEALED', 'CLOSED'] as const satisfies ModerationCaseState[];

export const caseSearch = (given: Given): { state?: ModerationCaseState | undefined } => ({
  state: oneOf(caseStates, given['state']),
});

const eventTypePattern = /^[A-Z]+(_[A-Z]+)+$/;
const eventType = (given: unknown): WebhookEventType | undefined =>
  typeof given === 'string' && eventTypePattern.test(given) ? (given as WebhookEventType) : undefined;
const platformKinds = ['CHAT_SERVER', 'CHAT_MESSENGER', 'CHAT_WORKSPACE'] as const satisfies Platform[];
const deliveryStatuses = ['DELIVERED', 'PENDING', 'FAILED', 'SKIPPED'] as const satisfies DeliveryStatus[];

interface DeliverySearch {
  status?: DeliveryStatus | undefined;
  type?: WebhookEventType | undefined;
  delivery?: string | undefined;
}

export const deliverySearch = (given: Given): DeliverySearch => ({
  status: oneOf(deliveryStatuses, given['status']),
  type: eventType(given['type']),
  delivery: text(given['delivery']),
});

export const eventSearch = (given: Given): { type?: WebhookEventType | undefined } => ({
  type: eventType(given['type']),
});

export const connectSearch = (given: Given): { connect?: Platform | undefined } => ({
  connect: oneOf(platformKinds, given['connect']),
});
