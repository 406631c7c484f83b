import type { Scope } from '../../src/core/actor.ts';
import { wav } from '../support/audio.ts';

/** What an account has of everything. */
export interface Belongings {
  agentId: string;
  conversationId: string;
  messageId: string;
  generationId: string;
  docId: string;
  webhookId: string;
  deliveryId: string;
  integrationId: string;
  apiKeyId: string;
  sessionId: string;
  exportId: string;
  eventId: string;
}

export interface Person {
  email: string;
  password: string;
  refreshToken: string;
}

export type Args = Record<string, unknown>;

/** How an operation is called: arguments by their GraphQL names, with values as on the wire. */
interface Call {
  args?: (its: Belongings, person: Person) => Args;
  /** What it says about the id of someone else, if that is not `not_found`. */
  denial?: string;
  /** It ends the session that it is called with. */
  ownSession?: true;
  /** A scope that it asks for beside the declared one. */
  alsoNeeds?: Scope;
}

const agent = { name: 'Ada', instructions: 'Teach.', greetingMessage: 'Hello.' };
const message = { content: 'Hello, Ada.' };
const plan = { plan: 'pro', interval: 'month' };
const page = { limit: 2, offset: 0 };
const pages = { successUrl: 'https://example.com/yes', cancelUrl: 'https://example.com/no' };
const newPassword = 'a quite different horse';
const botToken = '1:never-seen';
const url = 'https://example.com/hook';

const conversation = ({ conversationId }: Belongings) => ({ conversationId });
const inConversation = ({ conversationId, messageId }: Belongings) => ({ conversationId, messageId });
const document = ({ agentId, docId }: Belongings) => ({ agentId, docId });
const byAgent = ({ agentId }: Belongings) => ({ id: agentId });
const byConversation = ({ conversationId }: Belongings) => ({ id: conversationId });
const byWebhook = ({ webhookId }: Belongings) => ({ id: webhookId });
const byIntegration = ({ integrationId }: Belongings) => ({ id: integrationId });
const byKey = ({ apiKeyId }: Belongings) => ({ id: apiKeyId });
const delivery = ({ webhookId, deliveryId }: Belongings) => ({ webhookId, deliveryId });
const none: Call = {};

/**
 * EVERY operation of the service, in an order in which one account can do all of them: what ends something comes after
 * what needs it. The test fails for an operation that is missing here.
 */
export const operationTable: Readonly<Record<string, Call>> = {
  'Query.models': none,
  'Query.me': none,
  'Query.sessions': none,
  'Query.auditLog': { args: () => page },
  'Query.apiKeys': none,
  'Query.dataExport': { args: ({ exportId }) => ({ id: exportId }) },
  'Query.subscription': none,
  'Query.invoices': { args: () => page },
  'Query.usage': none,
  'Query.agents': { args: () => page },
  'Query.exploreAgents': { args: () => page },
  'Query.agent': { args: byAgent },
  'Query.conversations': { args: () => page },
  'Query.searchConversations': { args: () => ({ q: 'hello' }) },
  'Query.conversation': { args: byConversation },
  'Query.messages': { args: conversation },
  'Query.exportConversation': { args: conversation },
  'Query.documents': { args: ({ agentId }) => ({ agentId }) },
  'Query.document': { args: document },
  'Query.documentContent': { args: document },
  'Query.queryKnowledge': { args: ({ agentId }) => ({ agentId, input: { query: 'refunds' } }) },
  'Query.voices': none,
  'Query.webhooks': none,
  'Query.webhook': { args: byWebhook },
  'Query.webhookStats': { args: byWebhook },
  'Query.webhookDeliveries': { args: ({ webhookId }) => ({ webhookId }) },
  'Query.integrations': none,
  'Query.integration': { args: byIntegration },
  'Subscription.events': { args: ({ eventId }) => ({ after: eventId }), denial: 'invalid_request' },
  'Subscription.generationStream': {
    args: ({ conversationId, generationId }) => ({ conversationId, generationId }),
  },
  'Subscription.messageStream': { args: (its) => ({ ...conversation(its), input: message }) },

  'Mutation.register': { args: () => ({ input: { email: 'taken', password: 'x' } }) },
  'Mutation.login': { args: (_its, { email, password }) => ({ input: { email, password } }) },
  'Mutation.refresh': { args: (_its, { refreshToken }) => ({ input: { refreshToken } }) },
  'Mutation.forgotPassword': { args: () => ({ input: { email: 'nobody@example.com' } }) },
  'Mutation.resetPassword': { args: () => ({ input: { token: 'rst_none', newPassword } }) },
  'Mutation.verifyEmail': { args: () => ({ input: { token: 'vt_none' } }) },
  'Mutation.resendVerification': none,
  'Mutation.restoreAccount': { args: (_its, { email, password }) => ({ input: { email, password } }) },
  'Mutation.updateMe': { args: () => ({ input: { bio: 'A person.' } }) },
  'Mutation.createApiKey': { args: () => ({ input: { name: 'k', scopes: ['account:read'] } }) },
  'Mutation.requestDataExport': none,
  'Mutation.createCheckout': { args: () => ({ input: { ...plan, ...pages } }) },
  'Mutation.changeSubscription': { args: () => ({ input: { plan: 'pro' } }) },
  'Mutation.cancelSubscription': none,
  'Mutation.resumeSubscription': none,
  'Mutation.createPortalSession': none,
  'Mutation.createAgent': { args: () => ({ input: agent }) },
  'Mutation.updateAgent': { args: (its) => ({ ...byAgent(its), input: { name: 'Ada L.' } }) },
  'Mutation.createConversation': { args: ({ agentId }) => ({ input: { agentId } }) },
  'Mutation.updateConversation': { args: (its) => ({ ...byConversation(its), input: { title: 'Talk' } }) },
  'Mutation.sendMessage': { args: (its) => ({ ...conversation(its), input: message }) },
  'Mutation.stopGeneration': { args: conversation },
  'Mutation.regenerateMessage': { args: inConversation },
  'Mutation.editMessage': { args: (its) => ({ ...inConversation(its), input: message }) },
  'Mutation.activateMessage': { args: inConversation },
  'Mutation.giveFeedback': { args: (its) => ({ ...inConversation(its), input: { rating: 'up' } }) },
  'Mutation.speakMessage': {
    args: (its) => ({ ...inConversation(its), input: { voiceId: 'nova' } }),
    alsoNeeds: 'conversations:read',
  },
  'Mutation.synthesizeSpeech': { args: () => ({ input: { text: 'Hi.' } }) },
  'Mutation.transcribeAudio': { args: () => ({ input: { audio: wav(0.2).toString('base64') } }) },
  'Mutation.uploadDocument': {
    args: ({ agentId }) => ({ agentId, input: { file: { filename: 'a.txt', base64: 'UmVmdW5kcy4=' } } }),
  },
  'Mutation.retryDocument': { args: document },
  'Mutation.createWebhook': { args: () => ({ input: { url, events: ['agent.created'] } }) },
  'Mutation.updateWebhook': { args: (its) => ({ ...byWebhook(its), input: { active: true } }) },
  'Mutation.rotateWebhookSecret': { args: byWebhook },
  'Mutation.testWebhook': {
    args: ({ webhookId }) => ({ webhookId, input: { eventType: 'agent.created' } }),
  },
  'Mutation.redeliverWebhookDelivery': { args: delivery },
  'Mutation.recoverWebhookDeliveries': {
    args: ({ webhookId }) => ({ webhookId, input: { since: new Date(Date.now() - 60_000).toISOString() } }),
  },
  'Mutation.connectServer': {
    args: ({ agentId }) => ({ input: { agentId, botToken, guildId: 'G1', channelIds: ['C1'] } }),
  },
  'Mutation.connectMessenger': { args: ({ agentId }) => ({ input: { agentId, botToken } }) },
  'Mutation.connectWorkspace': {
    args: ({ agentId }) => ({ input: { agentId, botToken, workspaceId: 'W1', channelIds: ['C1'] } }),
  },
  'Mutation.updateIntegration': { args: (its) => ({ ...byIntegration(its), input: { autoRespond: true } }) },
  'Mutation.testIntegration': { args: byIntegration },

  'Mutation.deleteIntegration': { args: byIntegration },
  'Mutation.deleteWebhook': { args: byWebhook },
  'Mutation.deleteDocument': { args: document },
  'Mutation.deleteConversation': { args: byConversation },
  'Mutation.deleteAgent': { args: byAgent },
  'Mutation.rotateApiKey': { args: (its) => ({ ...byKey(its), input: { overlapSeconds: 600 } }) },
  'Mutation.revokeApiKey': { args: byKey },
  'Mutation.revokeSession': { args: ({ sessionId }) => ({ id: sessionId }) },
  'Mutation.logout': { ownSession: true },
  'Mutation.changePassword': {
    args: (_its, { password }) => ({ input: { currentPassword: password, newPassword } }),
  },
  'Mutation.deleteMe': none,
};
