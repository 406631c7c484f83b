import { builtInModels, type ModelId } from '../src/core/models.ts';
import { type WebhookEventType, eventCatalog } from '../src/webhooks/event-catalog.ts';

/** What a value of an enum means. `value` is its form on the wire. */
export const enumValueWords = (type: string, name: string, value: unknown): string | undefined => {
  if (type === 'WebhookEventType') return eventCatalog[value as WebhookEventType].description.replaceAll('`', '');
  if (type === 'ModelId') return builtInModels[value as ModelId].description;
  if (type === 'Scope') return scopeWords(String(value));
  return words[type]?.[name];
};

const scopeWords = (scope: string): string => {
  const [area = '', right = ''] = scope.split(':');
  return `${right === 'write' ? 'Change and read' : right === 'read' ? 'Read' : 'Use'} ${areas[area] ?? area}.`;
};

const areas: Readonly<Record<string, string | undefined>> = {
  knowledge: 'the documents of agents',
  billing: 'the subscription, its payment and invoices',
  account: 'the account, its sessions and keys',
  voice: 'speech and transcription',
};

const plans = {
  FREE: 'Costs nothing.',
  PLUS: '500 messages a day.',
  PRO: '2,000 messages a day.',
  CREATOR: 'No limit of messages.',
};

const words: Readonly<Record<string, Readonly<Record<string, string | undefined>> | undefined>> = {
  Plan: plans,
  PaidPlan: plans,
  AgentCategory: {
    ASSISTANT: 'Helps with this and that.',
    TUTOR: 'Teaches.',
    CHARACTER: 'Somebody out of a story.',
    COACH: 'Helps to reach an aim.',
    COMPANION: 'Keeps company.',
    CREATIVE: 'Writes and invents.',
    DEVELOPER: 'Helps with programs.',
    OTHER: 'None of these.',
  },
  AgentSort: { CREATED_AT: 'The newest first.', UPDATED_AT: 'The last changed first.', NAME: 'A to Z.' },
  AuditAction: {
    ACCOUNT_REGISTERED: 'The account was made.',
    ACCOUNT_DELETION_SCHEDULED: 'The account was given up; it can be restored for 30 days.',
    ACCOUNT_RESTORED: 'The deletion was taken back.',
    API_KEY_CREATED: 'A key was made.',
    API_KEY_REVOKED: 'A key was revoked.',
    API_KEY_ROTATED: 'A key was replaced by a new one.',
    EMAIL_VERIFIED: 'The e-mail address was verified.',
    EXPORT_REQUESTED: 'An export of all data was asked for.',
    EXPORT_DOWNLOADED: 'An export was downloaded.',
    LOGIN_SUCCEEDED: 'Somebody logged in.',
    LOGIN_FAILED: 'Somebody tried to log in with a wrong password.',
    LOGOUT: 'A session was ended by its own token.',
    PASSWORD_CHANGED: 'The password was changed.',
    PASSWORD_RESET_REQUESTED: 'A link to reset the password was asked for.',
    PASSWORD_RESET: 'The password was reset by such a link.',
    SESSION_REVOKED: 'A session was ended from the list of sessions.',
    SESSION_TOKEN_REUSED: 'A refresh token came twice, so its session was ended.',
  },
  BillingInterval: { MONTH: 'Each month.', YEAR: 'Each year, at the price of ten months.' },
  DeliveryStatus: {
    PENDING: 'Waits for its next attempt.',
    DELIVERED: 'The endpoint took it.',
    FAILED: 'Every attempt failed.',
    SKIPPED: 'Came due while the webhook was disabled.',
  },
  DocumentStatus: {
    PROCESSING: 'Its text is being read.',
    READY: 'The agent answers from it.',
    FAILED: 'Could not be read; `error` says why.',
  },
  ExploreSort: {
    POPULAR: 'Most messages ever.',
    TRENDING: 'Most people talking to it in the last days.',
    RECENT: 'The newest first.',
  },
  ExportFormat: { MARKDOWN: 'For people.', JSON: 'For programs.' },
  ExportStatus: {
    PROCESSING: 'Being made.',
    READY: 'The link has been mailed.',
    FAILED: 'Could not be made; ask for another.',
    EXPIRED: 'Its seven days are over.',
  },
  FeedbackRating: { UP: 'Good.', DOWN: 'Not good.' },
  IntegrationStatus: {
    ACTIVE: 'Listens on the platform.',
    INACTIVE: 'Switched off by its owner.',
    ERROR: 'The platform refused the bot.',
  },
  InvoiceStatus: {
    DRAFT: 'Not final yet.',
    OPEN: 'To be paid.',
    PAID: 'Paid.',
    VOID: 'Taken back.',
    UNCOLLECTIBLE: 'Given up.',
  },
  MessageRole: { USER: 'The person.', ASSISTANT: 'The agent.' },
  Platform: {
    CHAT_SERVER: 'Community-server chat (Discord).',
    CHAT_MESSENGER: 'Bot messenger (Telegram).',
    CHAT_WORKSPACE: 'Workspace chat (Slack).',
  },
  SubscriptionStatus: {
    ACTIVE: 'Paid, or free.',
    PAST_DUE: 'A payment failed; the plan is kept for seven days.',
    CANCELED: 'Over.',
    UNPAID: 'Given up after failed payments.',
    INCOMPLETE: 'Its first payment has not come through.',
  },
  VoiceId: {
    ALLOY: 'Neutral.',
    ECHO: 'Warm.',
    FABLE: 'Expressive.',
    NOVA: 'Bright.',
    ONYX: 'Deep.',
    SHIMMER: 'Soft.',
  },
};
